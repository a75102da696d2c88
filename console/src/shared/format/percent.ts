/** Share of a text such as `30%`, 0 to 100; 0 for an empty one, undefined for any other text. */
export function percentOf(text: string): number | undefined {
  if (text.trim() === '') return 0;
  const figure = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
  return figure === undefined ? undefined : Math.min(100, Number(figure));
}
