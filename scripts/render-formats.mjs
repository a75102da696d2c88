/**
 * docs/formats.md from the registries of relay-core. A pure function, so that a test can compare it with what is committed.
 * Built-in modules only.
 */

const code = (text) => (text === '' ? '–' : `\`${text}\``);
const list = (items) => (items.length === 0 ? '–' : items.map(code).join(', '));

/** Rules of each format for names of tools. */
function toolNames(providers) {
  const rules = new Map(
    providers.flatMap(({ operations }) =>
      (operations.chat ?? []).flatMap(({ apiFormat: { id, toolNames: rule } }) =>
        rule === undefined ? [] : [[id, rule]],
      ),
    ),
  );
  return [...rules]
    .sort(byName)
    .map(
      ([id, { longest, characters, beginsWithLetter }]) =>
        `| ${code(id)} | ${longest} | ${code(characters)} | ${beginsWithLetter === true ? 'a letter or `_`' : 'any of them'} |`,
    );
}

/** One row for each kind of model of each format that has tools. */
function roots(dialects, providers, rootForms) {
  const spoken = new Set(dialects.flatMap(({ routes }) => routes.map(({ apiFormat }) => apiFormat.id)));
  const formats = new Map(
    providers
      .flatMap(({ operations }) => operations.chat ?? [])
      .filter(({ apiFormat }) => apiFormat.toolRoots !== undefined)
      .map(({ apiFormat }) => [apiFormat.id, apiFormat.toolRoots]),
  );
  return [...formats].sort(byName).flatMap(([id, rows]) =>
    rows.map(({ models, roots: { takes, members = [] }, mendsOwnCallers }) => {
      const forms = rootForms.map((form) => (takes.includes(form) ? 'taken' : 'merged'));
      const whose = models?.name ?? (rows.length === 1 ? 'all' : 'others');
      const own = !spoken.has(id) ? '–' : mendsOwnCallers === true ? 'repaired' : 'as sent';
      return `| ${code(id)} | ${whose} | ${forms.join(' | ')} | ${list(members)} | ${own} |`;
    }),
  );
}

const byName = ([left], [right]) => left.localeCompare(right);

/**
 * @param {{dialects: object[], providers: object[], names: Map<number, string>, rootForms: string[]}} registries
 */
export function renderFormats({ dialects, providers, names, rootForms }) {
  const clientRoutes = dialects.flatMap((dialect) =>
    dialect.routes.map(({ method, path, operation, apiFormat }) => {
      const address = path.replace('(^.+)', '').replace('::', ':');
      return `| ${dialect.id} | \`${method} ${address}\` | ${operation} | ${code(apiFormat.id)} | ${apiFormat.openReplyWriter === undefined ? 'no' : 'yes'} |`;
    }),
  );
  const operations = [...new Set(dialects.flatMap(({ routes }) => routes.map(({ operation }) => operation)))];
  const vendors = [...providers]
    .sort((left, right) => left.channelTypes[0].code - right.channelTypes[0].code)
    .map((provider) => {
      const apiFormats = operations.map((operation) =>
        list([...new Set((provider.operations[operation] ?? []).map(({ apiFormat }) => apiFormat.id))]),
      );
      const usage = provider.asksForUsage === true ? 'asked for' : 'the vendor’s own way';
      const base = provider.defaultBaseUrl === '' ? 'entered by the operator' : code(provider.defaultBaseUrl);
      return `| ${provider.channelTypes.map((type) => type.code).join(', ')} | ${provider.channelTypes.map((type) => type.name).join(', ')} | ${base} | ${apiFormats.join(' | ')} | ${usage} | ${list(Object.keys(provider.namedBases ?? {}))} |`;
    });
  const served = new Set(providers.flatMap(({ channelTypes }) => channelTypes.map((type) => type.code)));
  const unserved = [...names]
    .filter(([typeCode]) => !served.has(typeCode))
    .map(([typeCode, name]) => `${name} (${typeCode})`);
  return [
    '# API formats, client APIs and vendors',
    '',
    'One folder of `server/relay-core/formats` reads and writes an *API format*. Clients call a *client API* (dialect); the gateway calls a',
    '*vendor* (provider). Both use API formats and do not depend on each other. Two different formats are translated through the neutral model',
    'of `server/relay-core/model`; between equal formats bytes pass unchanged ([request-path.md](request-path.md)).',
    '',
    'Generated from the registries by `npm run docs`.',
    '',
    '## Client APIs',
    '',
    '| Client API | Address | Operation | API format | Streamed |',
    '|---|---|---|---|---|',
    ...clientRoutes,
    '',
    '## Vendors',
    '',
    'The path of a call is appended to the base address without repeating a common part. So the base, the base with its version',
    '(`…/v1`, `…/api/paas/v4`, `…/v1beta/openai`) and the full address of a call (`…/v1/messages`, `…/v1/chat/completions`,',
    '`…/v1beta/models`) are equivalent; a version replaces the one of the vendor’s own path. Azure accepts the resource, `…/openai`,',
    '`…/openai/v1` and `…/openai/deployments/NAME`, the last one for all models of the channel; the versions `v1`, `preview` and `latest` call',
    '`/openai/v1/…` for everything. Saving refuses a query. *Usage of streams*: the gateway switches `stream_options.include_usage` on, or not.',
    '',
    `| Type | Vendor | Base address when the channel names none | ${operations.join(' | ')} | Usage of streams | Names for a base address |`,
    `|---|---|---|${operations.map(() => '---|').join('')}---|---|`,
    ...vendors,
    '',
    '## Roots of tool schemas',
    '',
    'Vendors accept the arguments of a tool as an object. The table has the other keywords a format allows at the root of a schema; the gateway',
    'merges other keywords into a plain object ([repairs](request-path.md#repairs)). Below the root they stay. *Own callers*: tools of callers of the',
    'same API, whose bytes otherwise pass unchanged, are repaired too, or not. Where the fields of a root are limited, references are resolved.',
    '',
    `| Format | Models | ${rootForms.map(code).join(' | ')} | Only these fields | Own callers |`,
    `|---|---|${rootForms.map(() => '---|').join('')}---|---|`,
    ...roots(dialects, providers, rootForms),
    '',
    '## Names of tools',
    '',
    'Tool names that the vendors of a format accept. The gateway shortens another name and adds ten digits of its hash, in the tools, in the tool',
    'choice and in earlier turns; answers have the caller’s name. Vendors of the caller’s own API get names unchanged.',
    '',
    '| Format | Longest | Characters | Begins with |',
    '|---|---|---|---|',
    ...toolNames(providers),
    '',
    '## Known, not served yet',
    '',
    'A new channel cannot have one of these types. Imported channels keep their code, are shown as not served, and are never chosen for a',
    `call: ${unserved.join(', ')}.`,
    '',
  ].join('\n');
}
