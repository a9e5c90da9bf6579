/**
 * The audit as it runs in the page: JavaScript, because the project's TypeScript knows no DOM outside the dashboard. An expression: its
 * value is the list of faults.
 */
(() => {
  const faults = [];
  const scope = document.querySelector('dialog[open]') ?? document;
  const all = [...scope.querySelectorAll('*')].filter((element) => element.checkVisibility());
  const short = (element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 140);
  const fault = (rule, element, note = '') =>
    faults.push({ rule, what: `${note}${note === '' ? '' : ' '}${short(element)}` });

  const nameOf = (element) => {
    const labelled = element
      .getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
    const labels = 'labels' in element ? [...(element.labels ?? [])] : [];
    const label = labels.map((one) => one.textContent ?? '').join(' ');
    return (element.getAttribute('aria-label') ?? labelled ?? (label || element.textContent) ?? '').trim();
  };
  for (const element of all) {
    const control = element.matches(
      'button, a[href], input, select, textarea, summary, dialog, [role="img"], nav, table, aside',
    );
    if (control && nameOf(element) === '') fault('name', element);
    if (element.matches('svg:not([aria-hidden="true"]):not([role="img"])')) fault('picture', element);
    if (element.matches('table') && element.querySelector('th') === null) fault('table-header', element);
    if (element.hasAttribute('tabindex') && element.tabIndex > 0) fault('focus-order', element);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) {
    faults.push({ rule: 'unique-id', what: id });
  }
  if (scope === document && document.querySelectorAll('main').length !== 1) {
    faults.push({ rule: 'main', what: `${document.querySelectorAll('main').length} main regions` });
  }
  if (document.title === '' || document.documentElement.lang === '')
    faults.push({ rule: 'title', what: document.title });

  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });

  /** Any CSS colour, as the browser paints it. */
  const read = (css) => {
    if (context === null) return [0, 0, 0, 1];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) => [
    r * a + x * (1 - a),
    g * a + y * (1 - a),
    b * a + z * (1 - a),
    1,
  ];
  /** What a browser paints behind a page that paints nothing. */
  const PAPER = [255, 255, 255, 1];
  const ground = (element) => {
    if (element === null)
      return over(read(getComputedStyle(document.documentElement).backgroundColor), PAPER);
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] >= 1 ? own : over(own, element.matches('dialog') ? own : ground(element.parentElement));
  };
  const luminance = (colour) => {
    const [r = 0, g = 0, b = 0] = colour.slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = new Set();
  for (const element of all) {
    const direct = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!direct || element.closest('[aria-hidden="true"], .visually-hidden, :disabled, svg') !== null)
      continue;
    const style = getComputedStyle(element);
    const behind = ground(element);
    const text = over(read(style.color), behind);
    const [light = 0, dark = 0] = [luminance(text), luminance(behind)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const key = `${element.className} ${ratio.toFixed(2)}`;
    if (ratio >= (large ? 3 : 4.5) || seen.has(key)) continue;
    seen.add(key);
    fault('contrast', element, `${ratio.toFixed(2)}:1`);
  }
  return faults;
})();
