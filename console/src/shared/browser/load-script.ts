const loading = new Map<string, Promise<void>>();

/**
 * Loads a foreign script once per page. The content security policy names the hosts it may come from.
 * Fails: when the script cannot be fetched; the next call then tries again.
 */
export function loadScript(address: string): Promise<void> {
  const known = loading.get(address);
  if (known !== undefined) return known;
  const promise = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading.delete(address);
      reject(new Error(`could not load ${address}`));
    };
    document.head.append(script);
  });
  loading.set(address, promise);
  return promise;
}
