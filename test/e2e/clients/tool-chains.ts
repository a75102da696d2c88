import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientProgram } from './client-suite.js';
import { installOnce, runTool } from './install-once.js';

/** Set-up of the clients of one language. `from` is the folder of their program, `into` one of its own in the cache. */
interface ToolChain {
  /** Why it cannot be used; undefined = it can. */
  fault(): string | undefined;
  /** Files that decide what is fetched. */
  readonly lists: readonly string[];
  /** Brings the packages. Where they are out of reach, the clients are left out. */
  fetch(from: string, into: string): void;
  /** Compiles what is to be compiled, and gives the command to run. Packages are there: a fault here is one of the program. */
  build(from: string, into: string): readonly string[];
}

const BUILD_TIMEOUT_MS = 900_000;
const MAX_REASON = 300;

function prepared(folder: string, { fault, lists, fetch, build }: ToolChain): ClientProgram {
  const missing = fault();
  if (missing !== undefined) return { missing };
  const from = join(import.meta.dirname, folder);
  try {
    const files = lists.map((file) => join(from, file));
    const into = installOnce(`${folder}-clients`, files, (made) => fetch(from, made));
    return { command: () => build(from, into) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { missing: `its packages are out of reach: ${said.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON)}` };
  }
}

const tool = (cwd: string, command: string, ...words: readonly string[]): string =>
  runTool(command, words, { cwd, timeoutMs: BUILD_TIMEOUT_MS });

const isThere = (command: string, word: string) => (): string | undefined =>
  spawnSync(command, [word]).status === 0 ? undefined : `there is no ${command}`;

const NODE_LISTS = ['package.json', 'package-lock.json'];

/** Node's packages have a folder of their own, so that the tests use a fresh installation. */
export const nodeClients = (): ClientProgram =>
  prepared('node', {
    fault: isThere('npm', '--version'),
    lists: NODE_LISTS,
    fetch: (from, into) => {
      for (const file of NODE_LISTS) cpSync(join(from, file), join(into, file));
      tool(into, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    },
    build: (from, into) => {
      for (const file of globSync('*.mjs', { cwd: from })) cpSync(join(from, file), join(into, file));
      return [process.execPath, join(into, 'main.mjs')];
    },
  });

/** Packages whose install script puts their program in place; no other script runs. */
const WITH_SCRIPTS = ['@anthropic-ai/claude-code', 'opencode-ai'];

/** Programs of the terminal; their command is the folder they stand in. */
export const programClients = (): ClientProgram =>
  prepared('programs', {
    fault: isThere('npm', '--version'),
    lists: NODE_LISTS,
    fetch: (from, into) => {
      for (const file of NODE_LISTS) cpSync(join(from, file), join(into, file));
      // Optional parts for other machines are missing in the list, which `npm ci` refuses.
      const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
      tool(into, 'npm', 'install', ...quiet);
      tool(into, 'npm', 'rebuild', '--loglevel=error', ...WITH_SCRIPTS);
    },
    build: (_from, into) => [join(into, 'node_modules/.bin')],
  });

const MIN_PYTHON_MINOR = 11;

function pythonFault(): string | undefined {
  const asked = spawnSync('python3', ['-c', 'import ensurepip, sys, venv; print(sys.version_info.minor)'], {
    encoding: 'utf8',
  });
  if (asked.error !== undefined) return 'there is no python3';
  if (asked.status !== 0) return 'python3 has no venv';
  if (Number(asked.stdout) < MIN_PYTHON_MINOR) return `python3 is older than 3.${MIN_PYTHON_MINOR}`;
  return undefined;
}

export const pythonClients = (): ClientProgram =>
  prepared('python', {
    fault: pythonFault,
    lists: ['requirements.txt'],
    fetch: (from, into) => {
      tool(from, 'python3', '-m', 'venv', into);
      // The list holds every package with its version: nothing is to be resolved, and what is imported is compiled then.
      const pip = [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--no-deps',
        '--no-compile',
      ];
      tool(from, join(into, 'bin/python'), ...pip, '-r', 'requirements.txt');
    },
    build: (from, into) => [join(into, 'bin/python'), join(from, 'main.py')],
  });

export const goClients = (): ClientProgram =>
  prepared('go', {
    fault: isThere('go', 'version'),
    lists: ['go.mod', 'go.sum'],
    fetch: (from) => tool(from, 'go', 'mod', 'download'),
    build: (from, into) => {
      const program = join(into, 'clients');
      tool(from, 'go', 'build', '-mod=readonly', '-o', program, '.');
      return [program];
    },
  });

const JAVA = 'java -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8';
/** Packages of one program have to fit beside each other. */
const JAVA_PROGRAMS = [
  { list: 'pom.xml', main: 'Main', sources: ['src/*.java'] },
  {
    list: 'google/pom.xml',
    main: 'GoogleMain',
    sources: ['google/*.java', 'src/Place.java', 'src/Runner.java', 'src/SpringScenarios.java'],
  },
] as const;

export const javaClients = (): ClientProgram =>
  prepared('java', {
    fault: () => isThere('javac', '-version')() ?? isThere('mvn', '-v')(),
    lists: JAVA_PROGRAMS.map(({ list }) => list),
    fetch: (from, into) => {
      for (const { list, main } of JAVA_PROGRAMS) {
        const output = `-Dmdep.outputFile=${join(into, main)}.classpath`;
        tool(from, 'mvn', '-B', '-q', '-f', list, 'dependency:build-classpath', output);
      }
    },
    build: (from, into) => {
      const paths = JAVA_PROGRAMS.map(({ main, sources }) => {
        const classes = join(into, main);
        const path = `${readFileSync(`${classes}.classpath`, 'utf8').trim()}:${classes}`;
        tool(
          from,
          'javac',
          '-encoding',
          'UTF-8',
          '-cp',
          path,
          '-d',
          classes,
          ...globSync(sources, { cwd: from }),
        );
        return path;
      });
      const runs = JAVA_PROGRAMS.map(({ main }, at) => `${JAVA} -cp "$${at}" ${main}`);
      return ['sh', '-e', '-c', runs.join('\n'), ...paths];
    },
  });

/** Cargo keeps what it compiled beside the packages' mark, so that only our own program is compiled again. */
export const rustClients = (): ClientProgram =>
  prepared('rust', {
    fault: isThere('cargo', '--version'),
    lists: ['Cargo.toml'],
    fetch: (from, into) => {
      cpSync(from, join(into, 'program'), { recursive: true });
      tool(join(into, 'program'), 'cargo', 'fetch', '--quiet');
    },
    build: (from, into) => {
      const program = join(into, 'program');
      cpSync(from, program, { recursive: true });
      tool(program, 'cargo', 'build', '--quiet', '--offline');
      return [join(program, 'target/debug/clients')];
    },
  });
