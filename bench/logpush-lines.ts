/** Makes log push bodies for the benchmark: mostly people and ordinary bots, 3% AI crawlers, seeded. */
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
] as const;
const CRAWLERS = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
] as const;
/** Different browsers in a batch: real traffic has thousands, and a cache of two would flatter us. */
const BROWSER_BUILDS = 2_000;

/** @param lines how many; @param start epoch milliseconds of the first */
export function* logpushLines(lines: number, start: number): Generator<string> {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 4_294_967_296) * below);
  };
  for (let index = 0; index < lines; index += 1) {
    const ai = random(100) < 3;
    const agents = ai ? CRAWLERS : BROWSERS;
    const agent = agents[random(agents.length)] ?? '';
    yield JSON.stringify({
      EdgeStartTimestamp: new Date(start + index).toISOString(),
      ClientRequestHost: 'shop.example',
      ClientRequestMethod: 'GET',
      ClientRequestURI: `/products/${random(5_000)}?page=${random(20)}`,
      ClientRequestUserAgent: ai ? agent : agent.replace('537.36', `537.${random(BROWSER_BUILDS)}`),
      ClientRequestReferer: random(3) === 0 ? 'https://www.google.com/' : '',
      ClientIP: `198.51.${random(256)}.${random(256)}`,
      ClientCountry: 'us',
      EdgeResponseStatus: 200,
      EdgeResponseBytes: random(90_000),
      RayID: `${index.toString(16).padStart(12, '0')}${seed.toString(16).slice(-4).padStart(4, '0')}`,
    });
  }
}
