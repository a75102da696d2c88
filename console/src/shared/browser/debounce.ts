/** Waits until typing pauses: a request for a text that was typed over is cancelled before it is sent. */
export function debounce(signal: AbortSignal, pauseMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException('Typed over', 'AbortError'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
