/**
 * docs/wires.md from the registries of relay-core. A pure function, so that a test can compare it with what is committed.
 * Built-in modules only.
 */

const code = (text) => (text === '' ? '–' : `\`${text}\``);
const list = (items) => (items.length === 0 ? '–' : items.map(code).join(', '));

/**
 * @param {{dialects: object[], providers: object[], names: Map<number, string>, profiles: object[]}} registries
 */
export function renderWires({ dialects, providers, names, profiles }) {
  const doors = dialects.flatMap((dialect) =>
    dialect.routes.map(({ method, path, operation, wire }) => {
      const address = path.replace('(^.+)', '').replace('::', ':');
      return `| ${dialect.id} | \`${method} ${address}\` | ${operation} | ${code(wire.id)} | ${wire.openReplyWriter === undefined ? 'no' : 'yes'} |`;
    }),
  );
  const operations = [...new Set(dialects.flatMap(({ routes }) => routes.map(({ operation }) => operation)))];
  const vendors = [...providers]
    .sort((left, right) => left.typeCodes[0] - right.typeCodes[0])
    .map((provider) => {
      const profile = profiles.find(({ id }) => id === provider.id);
      const wires = operations.map((operation) =>
        list([...new Set((provider.operations[operation] ?? []).map(({ wire }) => wire.id))]),
      );
      const usage =
        profile?.acceptsStreamOptions === false || profile === undefined
          ? 'the vendor’s own way'
          : 'asked for';
      const base = provider.defaultBaseUrl === '' ? 'entered by the operator' : code(provider.defaultBaseUrl);
      return `| ${provider.typeCodes.join(', ')} | ${provider.name} | ${base} | ${wires.join(' | ')} | ${usage} | ${list(Object.keys(profile?.namedBases ?? {}))} |`;
    });
  const served = new Set(providers.flatMap(({ typeCodes }) => typeCodes));
  const unserved = [...names]
    .filter(([typeCode]) => !served.has(typeCode))
    .map(([typeCode, name]) => `${name} (${typeCode})`);
  return [
    '# Wires, doors and vendors',
    '',
    'A *wire* is a grammar, understood in one folder of `server/relay-core/formats`. A *door* (dialect) is where clients knock; a',
    '*vendor* (provider) is where calls go. Doors and vendors never meet: both speak wires, and between two different wires',
    'stands the neutral model of `server/relay-core/model`. Where both sides speak the same wire, bytes pass untouched',
    '([request-path.md](request-path.md)).',
    '',
    'Generated from the registries by `npm run build && node scripts/generate-docs.mjs`.',
    '',
    '## Doors',
    '',
    '| Door | Address | Operation | Wire | Streamed |',
    '|---|---|---|---|---|',
    ...doors,
    '',
    '## Vendors',
    '',
    'A base address meets the path of a call once: what it already has of it is not written again. So the base, the base with its version',
    '(`…/v1`, `…/api/paas/v4`, `…/v1beta/openai`) and the whole address of a call (`…/v1/messages`, `…/v1/chat/completions`,',
    '`…/v1beta/models`) are the same; a version replaces the one of the vendor’s own path. At Azure the resource, `…/openai`, `…/openai/v1`',
    'and `…/openai/deployments/NAME` are taken, the last one for all models of the channel; the versions `v1`, `preview` and `latest` call',
    '`/openai/v1/…` for everything. A query is refused when saved. *Usage of streams* says whether the gateway switches',
    '`stream_options.include_usage` on.',
    '',
    `| Type | Vendor | Base address when the channel names none | ${operations.join(' | ')} | Usage of streams | Words for a base address |`,
    `|---|---|---|${operations.map(() => '---|').join('')}---|---|`,
    ...vendors,
    '',
    '## Known, not served yet',
    '',
    'No channel is given one of these types. Channels imported from elsewhere keep their code, are shown as not served, and are never',
    `chosen for a call: ${unserved.join(', ')}.`,
    '',
  ].join('\n');
}
