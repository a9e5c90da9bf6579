/** The shop's own look: one page, one stylesheet, one picture for all that it sells; nothing loaded from anywhere else. */

/** @param body HTML  @returns a whole document */
export function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Ghost Light Lamps</title>
<link rel="stylesheet" href="/assets/site.css">
<header><a href="/">Ghost Light Lamps</a><nav><a href="/guides/how-to-light-a-small-stage">Guides</a>
<a href="/blog/why-theatres-leave-one-lamp-on">Blog</a><a href="/faq">Questions</a><a href="/about">About</a></nav></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<footer>A made-up shop, part of a demonstration. <a href="/shipping-and-returns">Shipping and returns</a></footer>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 96" fill="none" stroke="#a8671a" stroke-width="3"><circle cx="32" cy="20" r="11"/><path d="M32 31v52M16 90h32M20 83h24"/></svg>';

export const STYLE = `
:root { color-scheme: light dark; --ink: #2c2620; --paper: #faf7f1; --line: #e3dccd; --glow: #a8671a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e2d4; --paper: #191613; --line: #37302a; --glow: #e0a458; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem; font: 1.05rem/1.65 Georgia, serif; color: var(--ink); background: var(--paper); }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
header > a { font-weight: bold; color: inherit; text-decoration: none; }
nav { display: flex; gap: 1.25rem; }
a { color: var(--glow); text-underline-offset: .2em; }
h1 { margin: 2.5rem 0 1rem; font-size: 2rem; line-height: 1.2; font-weight: normal; }
ul { padding: 0; list-style: none; }
li { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
.price { font-variant-numeric: tabular-nums; white-space: nowrap; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9rem; }
`;
