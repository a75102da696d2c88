import { describe, expect, it } from '@jest/globals';
import { nodeRefusal } from './require-node.js';

describe('nodeRefusal', () => {
  it.each(['18.20.4', '20.19.0', '22.12.0', '23.11.1'])('refuses Node %s by its name', (version) => {
    expect(nodeRefusal(version)).toBe(
      `Tollgate needs Node 24 or newer and this is ${version}: start it by \`npm\`, or by \`node_modules/.bin/node\`, which \`npm\` brings.`,
    );
  });

  it.each(['24.0.0', '25.1.0', '26.10.0', '100.0.0'])('takes Node %s', (version) => {
    expect(nodeRefusal(version)).toBeUndefined();
  });
});
