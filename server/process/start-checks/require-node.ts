/** The drivers of the databases are built for this one and those after it; an older Node ends in a fault without a word. */
const OLDEST_NODE_MAJOR = 24;

// Imported before everything else by every program: what comes after it may not even load in an older Node.
const refusal = nodeRefusal(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}

/** Message for a Node that is too old; undefined when it is not. @param version  as `process.versions.node` */
export function nodeRefusal(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= OLDEST_NODE_MAJOR) return undefined;
  return `Tollgate needs Node ${OLDEST_NODE_MAJOR} or newer and this is ${version}: start it by \`npm\`, or by \`node_modules/.bin/node\`, which \`npm\` brings.`;
}
