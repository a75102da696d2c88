/** Languages of the server's messages. */
export type Language = 'en' | 'zh';

/**
 * The language of an `Accept-Language` header: whichever of Chinese and English is preferred, English when neither is named.
 * @param header  e.g. `zh-CN,zh;q=0.9,en;q=0.8`
 */
export function languageOf(header: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language =
      tag === 'zh' || tag.startsWith('zh-') ? 'zh' : tag === 'en' || tag.startsWith('en-') ? 'en' : undefined;
    if (language === undefined) continue;
    const quality = parameters
      .map((text) => /^\s*q=([01](\.\d{1,3})?)\s*$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    const weight = quality === undefined ? 1 : Number(quality);
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}
