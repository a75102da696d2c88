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
      const own = !spoken.has(id) ? '–' : mendsOwnCallers === true ? 'mended' : 'as sent';
      return `| ${code(id)} | ${whose} | ${forms.join(' | ')} | ${list(members)} | ${own} |`;
    }),
  );
}

const byName = ([left], [right]) => left.localeCompare(right);

/**
 * @param {{dialects: object[], providers: object[], names: Map<number, string>, profiles: object[], rootForms: string[]}} registries
 */
export function renderFormats({ dialects, providers, names, profiles, rootForms }) {
  const clientRoutes = dialects.flatMap((dialect) =>
    dialect.routes.map(({ method, path, operation, apiFormat }) => {
      const address = path.replace('(^.+)', '').replace('::', ':');
      return `| ${dialect.id} | \`${method} ${address}\` | ${operation} | ${code(apiFormat.id)} | ${apiFormat.openReplyWriter === undefined ? 'no' : 'yes'} |`;
    }),
  );
  const operations = [...new Set(dialects.flatMap(({ routes }) => routes.map(({ operation }) => operation)))];
  const vendors = [...providers]
    .sort((left, right) => left.typeCodes[0] - right.typeCodes[0])
    .map((provider) => {
      const profile = profiles.find(({ id }) => id === provider.id);
      const apiFormats = operations.map((operation) =>
        list([...new Set((provider.operations[operation] ?? []).map(({ apiFormat }) => apiFormat.id))]),
      );
      const usage =
        profile?.refusesStreamOptions === true || profile === undefined
          ? 'the vendor’s own way'
          : 'asked for';
      const base = provider.defaultBaseUrl === '' ? 'entered by the operator' : code(provider.defaultBaseUrl);
      return `| ${provider.typeCodes.join(', ')} | ${provider.typeCodes.map((each) => names.get(each)).join(', ')} | ${base} | ${apiFormats.join(' | ')} | ${usage} | ${list(Object.keys(profile?.namedBases ?? {}))} |`;
    });
  const served = new Set(providers.flatMap(({ typeCodes }) => typeCodes));
  const unserved = [...names]
    .filter(([typeCode]) => !served.has(typeCode))
    .map(([typeCode, name]) => `${name} (${typeCode})`);
  return [
    '# API formats, client APIs and vendors',
    '',
    'An *API format* is a grammar, understood in one folder of `server/relay-core/formats`. A *client API* (dialect) is what clients',
    'call; a *vendor* (provider) is where calls go. Client APIs and vendors never meet: both speak API formats. Between two different',
    'formats stands the neutral model of `server/relay-core/model`. Where both sides speak the same format, bytes pass untouched',
    '([request-path.md](request-path.md)).',
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
    '## Roots of tool schemas',
    '',
    'Vendors take the arguments of a tool as an object. What else the root of its schema may be is stated beside each format; what a',
    'vendor does not take is merged into a plain object ([how](request-path.md#what-is-mended-on-the-way)). Inside the schema, below its root,',
    'these forms stay. *Own callers* says whether the tools of callers of the same API are mended too, whose bytes pass untouched',
    'otherwise. Where the members of a root are limited, references are replaced with what they name.',
    '',
    `| Format | Models | ${rootForms.map(code).join(' | ')} | Only these members | Own callers |`,
    `|---|---|${rootForms.map(() => '---|').join('')}---|---|`,
    ...roots(dialects, providers, rootForms),
    '',
    '## Names of tools',
    '',
    'What the vendors of a format take as the name of a tool. Another name leaves as much of it as they take and ten digits made from all of it,',
    'in the tools, in what may be called and in earlier turns; answers have the caller’s own. Vendors of the caller’s own API get names as they are.',
    '',
    '| Format | Longest | Characters | Begins with |',
    '|---|---|---|---|',
    ...toolNames(providers),
    '',
    '## Known, not served yet',
    '',
    'No channel is given one of these types. Channels imported from elsewhere keep their code, are shown as not served, and are never',
    `chosen for a call: ${unserved.join(', ')}.`,
    '',
  ].join('\n');
}
