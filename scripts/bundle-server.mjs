import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rolldown } from 'rolldown';

/** Threads the server starts, and what stands before every program: each a file of its name. */
const PARTS = {
  'bcrypt-worker': 'base/auth/bcrypt-worker.js',
  'booking-thread': 'base/billing/booking/booking-thread.js',
  'tokenizer-worker': 'gateway/channels/upstream/tokenizer-worker.js',
  'require-node': 'process/start-checks/require-node.js',
};

/** Programs started from outside. Each checks its Node first, and loads the rest only into one that can run it. */
const PROGRAMS = {
  main: 'main.js',
  'audit-verify': 'cli/audit-verify.js',
  backup: 'cli/backup.js',
  migrate: 'cli/migrate.js',
  'money-check': 'cli/money-check.js',
  'history-accept': 'cli/history-accept.js',
  import: 'cli/import.js',
  'options-rollback': 'cli/options-rollback.js',
  'restore-finish': 'cli/restore-finish.js',
};

/** Stays in node_modules: what is machine code, and what only some installations load, or load when it is first needed. */
const LEFT_OUT = [
  'better-sqlite3',
  '@node-rs/argon2',
  'ioredis',
  'mysql2',
  'pg',
  'pg-native',
  'prom-client',
  '@opentelemetry/*',
  '@simplewebauthn/server',
  'gpt-tokenizer',
  'nodemailer',
  'openid-client',
  'otplib',
  'stripe',
  'passport',
  'passport-github2',
];

/** TypeORM and Nest load these inside a function, in case they are installed. They never are here. */
const NEVER_USED = [
  'file-type',
  '@google-cloud/spanner',
  '@sap/hana-client',
  'hdb-pool',
  'mongodb',
  'mssql',
  'mysql',
  'oracledb',
  'redis',
  'react-native-sqlite-storage',
  'sql.js',
  'sqlite3',
  'pg-query-stream',
  'typeorm-aurora-data-api-driver',
  'class-transformer',
  'class-validator',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@fastify/multipart',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@nestjs/platform-express',
];

/**
 * Packages every start loads, in parcels. One file of all of them would be parsed at once, and the memory that takes is never given
 * back; the thousands of files it is made of would each be kept whole, comments and all.
 */
const PARCELS = [
  parcel('typeorm', 'typeorm'),
  parcel('undici', 'undici'),
  parcel('zod', 'zod'),
  parcel('nest', '@nestjs', 'rxjs', 'reflect-metadata', 'es-toolkit', 'tslib'),
  { name: 'libraries', test: /[\\/]node_modules[\\/]/, entriesAware: true },
  { name: 'relay-core', test: /[\\/]relay-core[\\/]/, entriesAware: true },
];

function parcel(name, ...packages) {
  const test = new RegExp(`[\\\\/]node_modules[\\\\/](?:${packages.join('|')})[\\\\/]`);
  return { name, test, entriesAware: true };
}

/**
 * @nestjs/typeorm asks for classes that TypeORM 1 has no more, by loading all of TypeORM a second time from node_modules. They are
 * undefined, as it would find out.
 */
const WITHOUT_OLD_TYPEORM = {
  name: 'without-old-typeorm',
  load: (id) =>
    /@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/.test(id)
      ? 'export const Connection = undefined; export const AbstractRepository = undefined;'
      : null,
};

/** Whole names only: what is inside a package left out is left out with it. */
function isLeftOut(id) {
  return [...LEFT_OUT, ...NEVER_USED].some((name) => {
    const stem = name.endsWith('/*') ? name.slice(0, -1) : `${name}/`;
    return id === name || id.startsWith(stem);
  });
}

/**
 * Puts compiled modules and the packages that every start loads into a few files: half the CPU and a tenth less memory to
 * start with (docs/decisions/2026-11-22-the-server-is-bundled.md).
 * @param modules  folder of the compiled modules
 * @param target   folder the programs are written into
 */
export async function bundleServer(modules, target) {
  const input = Object.fromEntries(
    Object.entries({ ...PARTS, ...PROGRAMS }).map(([name, file]) => [name, join(modules, file)]),
  );
  const faults = [];
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: isLeftOut,
    plugins: [WITHOUT_OLD_TYPEORM],
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT' || code === 'IMPORT_IS_UNDEFINED')
        faults.push(stripVTControlCharacters(message));
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      // Side by side: what looks for files beside itself, or above, finds them from every one.
      entryFileNames: ({ name }) => (Object.hasOwn(PROGRAMS, name) ? `${name}.program.js` : `${name}.js`),
      chunkFileNames: ({ name }) => `${name.split('~', 1)[0]}-[hash].js`,
      codeSplitting: { groups: PARCELS },
      // Names of classes are names of tables, tokens and errors. Nothing is shortened: stack traces stay readable.
      keepNames: true,
      comments: false,
    });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    mkdirSync(target, { recursive: true });
    for (const { fileName, code } of output) writeFileSync(join(target, fileName), asciiOnly(fileName, code));
    for (const name of Object.keys(PROGRAMS))
      writeFileSync(
        join(target, `${name}.js`),
        `import './require-node.js';\nawait import('./${name}.program.js');\n`,
      );
  } finally {
    await bundle.close();
  }
}

/** V8 keeps the text of what it runs, and a single sign beyond Latin-1 doubles a whole file. */
function asciiOnly(fileName, code) {
  if (/\braw\s*`[^`]*[^\x00-\x7f]/.test(code))
    throw new Error(`${fileName}: a raw template with signs beyond ASCII cannot be escaped`);
  return code.replace(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
