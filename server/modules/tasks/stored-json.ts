/** What a column of JSON text holds; null when it is empty or damaged. */
export function parseStored(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null; // a list must not fail because of one row
  }
}
