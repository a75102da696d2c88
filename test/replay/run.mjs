import { compare } from './compare.mjs';
import { DIALECTS, OWN } from './dialects.mjs';
import { startGateway } from './gateway.mjs';
import { OPERATIONS } from './operations.mjs';
import { expectedAnswer, readAnswer } from './read-answer.mjs';
import { readFolder } from './read-folder.mjs';
import { startReplayUpstream } from './replay-upstream.mjs';
import { LEFT_OUT, VENDORS } from './vendors.mjs';

const ALL = [...VENDORS, ...OPERATIONS];

/**
 * Replays every recording of a folder: once read by its vendor's own package directly, once through the gateway in each
 * dialect with that dialect's package.
 * @param {string} folder
 * @param {{say?: (line: string) => void, only?: string}} options `only`: part of the names that are replayed
 * @returns {Promise<{rows: object[], leftOut: object[]}>} a row per recording and dialect with its differences
 */
export async function replay(folder, { say = () => undefined, only = '' } = {}) {
  const recordings = readFolder(folder).filter(({ name }) => name.includes(only));
  const leftOut = [];
  const rows = [];
  const upstream = await startReplayUpstream();
  let gateway;
  try {
    gateway = await startGateway();
    const models = await addChannels(gateway, upstream.origin);
    for (const recording of recordings) {
      const vendor = ALL.find(({ owns }) => owns(recording));
      if (vendor === undefined) {
        const reason = LEFT_OUT.find(([pattern]) => pattern.test(recording.name))?.[1];
        leftOut.push({ recording: recording.name, reason: reason ?? 'no vendor of this tool reads it' });
        continue;
      }
      const isStream = recording.form !== 'whole';
      upstream.show(recording, vendor.framing);
      const direct = await readDirectly(vendor, recording, upstream.origin);
      for (const dialect of dialectsOf(vendor)) {
        const { origin } = gateway;
        const model = nameFor(vendor, dialect, models);
        const through = await dialect.read({ origin, key: gateway.console.key, model, isStream, direct });
        const place = {
          vendor: vendor.id,
          dialect: dialect.id,
          recording: `${recording.name}${isStream ? ' streamed' : ''}`,
        };
        const differences = compare(direct, through, place);
        rows.push({ ...place, differences, isFailure: direct.failed && through.failed });
        for (const { field, direct: left, through: right, reason } of differences)
          if (reason === undefined)
            say(
              `✗ ${place.recording} → ${place.dialect}: ${field}: ${brief(left)} became ${brief(right)}${faultOf(through)}`,
            );
      }
    }
  } finally {
    await gateway?.stop();
    await upstream.close();
  }
  return { rows, leftOut };
}

function readDirectly(vendor, recording, origin) {
  if (vendor.readDirect !== undefined) return vendor.readDirect(origin);
  if (vendor.direct !== undefined) return readAnswer(vendor.direct(origin), recording.form !== 'whole');
  if (recording.expected === undefined)
    throw new Error(`${recording.name}.expected.json is missing: ${vendor.id} has no package.`);
  return expectedAnswer(recording.expected);
}

function dialectsOf({ dialects = DIALECTS, own }) {
  if (own === undefined) return dialects;
  const read = ({ origin, key, model, isStream }) => readAnswer(own(origin, key, model), isStream);
  return [...dialects, { id: OWN, read }];
}

const brief = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 160);
const faultOf = ({ fault }) =>
  fault === undefined ? '' : ` (${String(fault.message ?? fault).slice(0, 200)})`;

/**
 * Vendors with a Messages or a Responses endpoint of their own, where callers of those dialects are sent; it is not the one
 * that was recorded. For them a recording is replayed as any vendor of its grammar would answer it.
 */
const HAVE_OTHER_ENDPOINTS = new Set([25, 26, 35, 43, 48]);
const PLAIN = ' plain';

const nameFor = (vendor, dialect, models) =>
  (['anthropic', 'responses'].includes(dialect.id) ? models.get(`${vendor.id}${PLAIN}`) : undefined) ??
  models.get(vendor.id);

/** A channel per vendor, each serving its model under a name of its own, so that no two share one. */
async function addChannels({ console: { ask } }, origin) {
  const models = new Map();
  const plain = VENDORS.filter(({ channel }) => HAVE_OTHER_ENDPOINTS.has(channel.type)).map((vendor) => ({
    ...vendor,
    id: `${vendor.id}${PLAIN}`,
    channel: { ...vendor.channel, type: 1 },
  }));
  for (const vendor of [...ALL, ...plain]) {
    const { type, key, other = '', basePath = '', settings } = vendor.channel;
    // Some packages read a slash as the end of a name.
    const name = `${vendor.id}.${vendor.model}`.replaceAll(/[ /]/g, '-');
    models.set(vendor.id, name);
    await ask('POST', '/api/channel/', {
      name: vendor.id,
      type,
      key,
      other,
      mode: 'single',
      base_url: `${origin}${basePath}`,
      models: name,
      model_mapping: JSON.stringify({ [name]: vendor.model }),
      group: 'default',
      groups: ['default'],
      ...(settings === undefined ? {} : { settings }),
      auto_ban: 0,
    });
  }
  return models;
}

/** The score as a table: recordings whose readings agree, of all, per vendor and dialect. */
export function scoreTable({ rows, leftOut }) {
  const vendors = [...new Set(rows.map(({ vendor }) => vendor))];
  const dialects = [...DIALECTS.map(({ id }) => id), OWN];
  const cell = (vendor, dialect) => {
    const own = rows.filter((row) => row.vendor === vendor && row.dialect === dialect);
    if (own.length === 0) return '–';
    const agreeing = own.filter(({ differences }) => differences.every(({ reason }) => reason !== undefined));
    const exact = own.filter(({ differences }) => differences.length === 0).length;
    const known = agreeing.length - exact;
    return `${agreeing.length}/${own.length}${known === 0 ? '' : ` (${known} by the table)`}`;
  };
  const lines = [
    `| vendor | ${dialects.join(' | ')} |`,
    `|---|${dialects.map(() => '---|').join('')}`,
    ...vendors.map(
      (vendor) => `| ${vendor} | ${dialects.map((dialect) => cell(vendor, dialect)).join(' | ')} |`,
    ),
  ];
  const failures = rows.filter(({ isFailure }) => isFailure).length;
  if (failures > 0) lines.push('', `${failures} of these readings are of failures, which both sides tell.`);
  if (leftOut.length > 0) {
    lines.push('', `${leftOut.length} recordings left out:`);
    for (const { recording, reason } of leftOut) lines.push(`- ${recording}: ${reason}`);
  }
  return lines.join('\n');
}
