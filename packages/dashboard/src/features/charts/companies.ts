/** One colour for each company, whichever of its names a chart has: that of a vendor of bots, or of an engine that sends people. */
const COMPANIES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OpenAI', 'ChatGPT'],
  anthropic: ['Anthropic', 'Claude'],
  google: ['Google', 'Gemini', 'NotebookLM'],
  microsoft: ['Microsoft', 'Copilot'],
  meta: ['Meta', 'Meta AI'],
  perplexity: ['Perplexity'],
  mistral: ['Mistral', 'Le Chat'],
  xai: ['xAI', 'Grok'],
};
const BY_NAME = new Map(
  Object.entries(COMPANIES).flatMap(([company, names]) =>
    names.map((name) => [name.toLowerCase(), `company-${company}`] as const),
  ),
);
/** For companies that have none; no company above has them. */
const OTHERS = ['hue-6', 'hue-5', 'hue-7'] as const;

/** The paint of a company's series. @param index of the series, for companies without a colour of their own */
export const companyPaint = (name: string, index: number): string =>
  BY_NAME.get(name.toLowerCase()) ?? OTHERS[index % OTHERS.length] ?? OTHERS[0];
