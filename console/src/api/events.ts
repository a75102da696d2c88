/** Data of server-sent events, event by event, however the bytes are cut. What follows the last empty line is an event as well. */
export async function* readEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true });
      const parts = rest.split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const data = dataOf(part);
        if (data !== undefined) yield data;
      }
      if (done) return;
    }
  } finally {
    // A reader that stops ends the call.
    await reader.cancel().catch(() => undefined);
  }
}

function dataOf(event: string): string | undefined {
  const lines = event
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
  return lines.length === 0 ? undefined : lines.join('\n');
}
