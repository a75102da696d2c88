const META = 'meta[name="base-path"]';

/** Path of the host this console is seen under: empty, or as `/gateway`. The server writes it into the page. */
export const basePath = (): string => document.querySelector<HTMLMetaElement>(META)?.content ?? '';

/** Path that this console was loaded from, without a slash at the end. */
export const ownAddress = (): string => window.location.origin + basePath();
