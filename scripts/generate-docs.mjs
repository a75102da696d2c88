/**
 * `npm run docs`: docs/options.md, docs/errors.md, docs/formats.md and
 * docs/providers.md from the catalogues in the code and from what its formats do, docs/testing.md and docs/specification.md from the tests.
 * With `--modules FOLDER` it reads another build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { renderErrors, renderOptions } from './render-docs.mjs';
import { withModules } from './render-modules.mjs';
import { renderProviders } from './render-providers.mjs';
import { readTests } from './read-tests.mjs';
import { renderTesting } from './render-testing.mjs';
import { renderFormats } from './render-formats.mjs';
import { readDecisions, readLists, renderSpecification } from './render-specification.mjs';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { modules: { type: 'string' } } });
const modules = resolve(values.modules ?? join(root, 'dist/modules'));

const load = (file) => import(pathToFileURL(join(modules, file)).href);
const [{ OPTION_CATALOGUE }, { isForRootAlone }, { ERROR_CATALOGUE }, { OPENAI_ERROR_LIST }, { REFUSALS }] =
  await Promise.all(
    [
      'modules/options/option-catalogue.js',
      'modules/options/option-permissions.js',
      'common/errors/error-catalogue.js',
      'relay-core/dialects/openai-error.js',
      'relay-core/model/refusals.js',
    ].map(load),
  );

writeFileSync(join(root, 'docs/options.md'), renderOptions(OPTION_CATALOGUE, isForRootAlone));
writeFileSync(join(root, 'docs/errors.md'), renderErrors(ERROR_CATALOGUE, OPENAI_ERROR_LIST, REFUSALS));

const [{ DIALECTS }, { PROVIDERS, CHANNEL_TYPE_NAMES }, { OPENAI_COMPATIBLE_PROFILES }, { ROOT_FORMS }] =
  await Promise.all(
    [
      'relay-core/dialects/registry.js',
      'relay-core/providers/registry.js',
      'relay-core/providers/openai-compatible/openai-compatible.profiles.js',
      'relay-core/formats/shared/fields/tool-roots.js',
    ].map(load),
  );
writeFileSync(
  join(root, 'docs/formats.md'),
  renderFormats({
    dialects: DIALECTS,
    providers: PROVIDERS,
    names: CHANNEL_TYPE_NAMES,
    profiles: OPENAI_COMPATIBLE_PROFILES,
    rootForms: ROOT_FORMS,
  }),
);

const [{ replyToEvents, ReplyCollector }, { openFramer }] = await Promise.all(
  ['relay-core/pipeline/reply/collect-reply.js', 'relay-core/framing/open-framer.js'].map(load),
);
writeFileSync(
  join(root, 'docs/providers.md'),
  renderProviders({
    dialects: DIALECTS,
    providers: PROVIDERS,
    names: CHANNEL_TYPE_NAMES,
    stream: { replyToEvents, ReplyCollector, openFramer },
  }),
);

const tests = readTests(root);
writeFileSync(join(root, 'docs/testing.md'), renderTesting(tests));
writeFileSync(
  join(root, 'docs/specification.md'),
  renderSpecification(readLists(root), tests, readDecisions(root)),
);

const architecture = join(root, 'docs/architecture.md');
writeFileSync(architecture, withModules(readFileSync(architecture, 'utf8')));
