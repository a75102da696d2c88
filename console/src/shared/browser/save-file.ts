/** Hands content to the browser as a file to keep. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** The same with a text. Characters a file name may not hold become underscores. */
export const saveText = (name: string, text: string): void =>
  saveFile(name.replaceAll(/[\\/:*?"<>|\s]+/g, '_'), new Blob([text], { type: 'text/plain;charset=utf-8' }));
