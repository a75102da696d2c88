/**
 * Faults of package-lock.json that npm does not check.
 * - No address in it: it must install from whatever registry the machine at hand uses.
 * - Every optional dependency of a locked package is locked as well: npm drops bindings of other platforms when a registry
 *   does not list them yet, and then `npm ci` fails, or a Mac gets no binding.
 * - Everything installed from outside has an integrity digest.
 * @returns {string[]} one sentence per fault
 */
export function lockFaults(lock) {
  const packages = lock.packages ?? {};
  const faults = [];
  for (const [place, entry] of Object.entries(packages)) {
    const isOwn = entry.link === true || !place.includes('node_modules/');
    if (entry.resolved !== undefined && entry.link !== true) faults.push(`${place}: has a download address`);
    if (!isOwn && entry.integrity === undefined && entry.inBundle !== true)
      faults.push(`${place}: has no integrity digest`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isLocked(packages, place, name))
        faults.push(`${place || 'the root'}: optional dependency ${name} is not locked`);
    }
  }
  return faults;
}

/** Looks where Node would: beside the package, then one folder up, and so on. */
function isLocked(packages, place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate] !== undefined) return true;
    if (!folder.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined;
  }
}
