/**
 * Puts a text on the clipboard.
 * @returns false when the browser refuses (no permission, plain http): the caller offers manual copying
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Expected on plain-http addresses: the Clipboard API exists in secure contexts only. The old way may still work.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    // Some browsers throw instead of answering false.
    return false;
  } finally {
    area.remove();
  }
}
