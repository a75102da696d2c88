import { readAnswer } from './read-answer.mjs';
import { compare } from './compare.mjs';
import { startGateway } from './gateway.mjs';
import { readFolder } from './read-folder.mjs';
import { startReplayUpstream } from './replay-upstream.mjs';
import { DIALECTS, LEFT_OUT, VENDORS } from './vendors.mjs';

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
      const vendor = VENDORS.find(({ owns }) => owns(recording));
      if (vendor === undefined) {
        const reason = LEFT_OUT.find(([pattern]) => pattern.test(recording.name))?.[1];
        leftOut.push({ recording: recording.name, reason: reason ?? 'no vendor of this tool reads it' });
        continue;
      }
      const isStream = recording.form !== 'whole';
      upstream.show(recording, vendor.framing);
      const direct = await readAnswer(vendor.direct(upstream.origin), isStream);
      for (const dialect of DIALECTS) {
        upstream.show(recording, vendor.framing);
        const model = dialect.model(gateway.origin, gateway.console.key, nameFor(vendor, dialect, models));
        const through = await readAnswer(model, isStream);
        const place = {
          vendor: vendor.id,
          dialect: dialect.id,
          recording: `${recording.name}${isStream ? ' streamed' : ''}`,
        };
        const differences = compare(direct, through, place);
        rows.push({ ...place, differences });
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

const brief = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 160);
const faultOf = ({ fault }) =>
  fault === undefined ? '' : ` (${String(fault.message ?? fault).slice(0, 200)})`;

/**
 * Vendors with a Messages endpoint of their own, where Anthropic's clients are sent; it is not the one that was recorded. For
 * them a recording is replayed as any vendor of its grammar would answer it.
 */
const HAVE_MESSAGES = new Set([25, 26, 35, 43, 48]);
const PLAIN = ' plain';

const nameFor = (vendor, dialect, models) =>
  models.get(dialect.id === 'anthropic' ? `${vendor.id}${PLAIN}` : vendor.id) ?? models.get(vendor.id);

/** A channel per vendor, each serving its model under a name of its own, so that no two share one. */
async function addChannels({ console: { ask } }, origin) {
  const models = new Map();
  const plain = VENDORS.filter(({ channel }) => HAVE_MESSAGES.has(channel.type)).map((vendor) => ({
    ...vendor,
    id: `${vendor.id}${PLAIN}`,
    channel: { ...vendor.channel, type: 1 },
  }));
  for (const vendor of [...VENDORS, ...plain]) {
    const { type, key, other = '', basePath = '' } = vendor.channel;
    const name = `${vendor.id.replaceAll(' ', '-')}.${vendor.model}`;
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
      auto_ban: 0,
    });
  }
  return models;
}

/** The score as a table: recordings whose readings agree, of all, per vendor and dialect. */
export function scoreTable({ rows, leftOut }) {
  const vendors = [...new Set(rows.map(({ vendor }) => vendor))];
  const dialects = DIALECTS.map(({ id }) => id);
  const cell = (vendor, dialect) => {
    const own = rows.filter((row) => row.vendor === vendor && row.dialect === dialect);
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
  if (leftOut.length > 0) {
    lines.push('', `${leftOut.length} recordings left out:`);
    for (const { recording, reason } of leftOut) lines.push(`- ${recording}: ${reason}`);
  }
  return lines.join('\n');
}
