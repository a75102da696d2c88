/**
 * Our sources import each other as the compiler wants it, with a `.js` ending; on disk they end in `.ts` or `.tsx`.
 * Packages are left alone: several of them ship both spellings side by side.
 */
module.exports = function resolve(request, options) {
  const isOwnImport =
    request.startsWith('.') && request.endsWith('.js') && !options.basedir.includes('/node_modules/');
  if (isOwnImport) {
    for (const ending of ['.ts', '.tsx']) {
      try {
        return options.defaultResolver(request.slice(0, -'.js'.length) + ending, options);
      } catch (error) {
        // Not there under this ending: the next one, and at last the name as written, which reports the failure.
        if (error.code !== 'MODULE_NOT_FOUND') throw error;
      }
    }
  }
  return options.defaultResolver(request, options);
};
