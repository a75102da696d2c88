/** Hands a text to the browser as a file to keep. Characters a file name may not hold become underscores. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName.replaceAll(/[\\/:*?"<>|\s]+/g, '_');
  link.click();
  URL.revokeObjectURL(address);
}
