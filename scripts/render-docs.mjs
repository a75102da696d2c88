/**
 * Documents generated from the code. Pure functions from the catalogues to Markdown, so that a test can compare
 * them with what is committed. Built-in modules only.
 */

const TABS = {
  operation: 'Operation',
  ratelimit: 'Rate limits',
  models: 'Models',
  system: 'System',
  other: 'Other',
  none: 'Without a screen',
};

const CLASSES = {
  public: 'everybody',
  ops: 'administrators',
  security: 'administrators',
  secret: 'nobody: only whether it is set',
};

const LONGEST_DEFAULT = 120;

/** Text that may stand in a table cell. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

function shownDefault(row) {
  const text = row.kind === 'json' ? JSON.stringify(row.fallback) : row.format(row.fallback);
  if (text === '') return 'empty';
  if (text.length <= LONGEST_DEFAULT) return `\`${cell(text)}\``;
  const entries = Array.isArray(row.fallback) ? row.fallback.length : Object.keys(row.fallback).length;
  return `built-in table of ${entries} entries`;
}

const readersOf = (row) => (row.isRootsToRead === true ? 'root' : CLASSES[row.class]);

/**
 * @param {Record<string, object>} catalogue OPTION_CATALOGUE
 * @param {(key: string) => boolean} isForRootAlone of option-permissions
 */
export function renderOptions(catalogue, isForRootAlone) {
  const changersOf = (key, row) => (isForRootAlone(key) ? 'root' : `section \`${row.section}\``);
  const rows = Object.entries(catalogue);
  const sections = Object.entries(TABS).flatMap(([tab, title]) => {
    const lines = rows
      .filter(([, row]) => row.tab === tab)
      .map(
        ([key, row]) =>
          `| \`${key}\` | ${cell(row.help)} | ${cell(row.range)} | ${shownDefault(row)} | ${readersOf(row)} | ${changersOf(key, row)} |`,
      );
    if (lines.length === 0) return [];
    return [
      `## ${title}`,
      '',
      '| Key | Meaning | Accepts | Default | Readable by | Changed by |',
      '|---|---|---|---|---|---|',
      ...lines,
      '',
    ];
  });
  return [
    '# Options',
    '',
    'Settings that can change while the server runs: in the console under *Settings*, or with `PUT /api/option/` and a body of',
    '`{"key": …, "value": …}`. Values are sent as text. The server refuses unknown keys and invalid values and then stores nothing. A',
    'change reaches all instances at once by signal, or within seconds if the signal is lost.',
    '',
    'Root can change every option. Administrators read all but secrets, and change the sections that root selects for them',
    '(`AdministratorSections`; under *Settings → System → Administrators*). Other changes are refused with `not_permitted`.',
    '',
    'Generated from `server/base/options/catalogue` by `npm run docs`.',
    '',
    ...sections,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
