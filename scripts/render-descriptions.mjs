/** The part of docs/providers.md about interfaces: from the description of each vendor, as its operations give it. */

const code = (text) => `\`${text}\``;

/** A chat to the vendor's own address: descriptions depend on address and model only. */
const callTo = (provider) => ({
  route: {
    channelType: provider.channelTypes[0].code,
    baseUrl: '',
    upstreamModel: 'model',
    credential: '',
    organization: '',
    other: '',
    settings: {},
    paramOverride: undefined,
  },
  clientFormat: 'openai-chat',
  shape: { operation: 'chat', model: 'model', stream: false, choices: 1 },
  options: {},
});

/** @returns the description of the first operation that serves a chat and has one; undefined = the format alone decides */
function descriptionOf(provider) {
  const call = callTo(provider);
  const described = (provider.operations.chat ?? []).filter(({ describe }) => describe !== undefined);
  return described.find((operation) => operation.serves?.(call) !== false)?.describe(call);
}

function instructionsOf({ developer, place }) {
  const roles = developer ? `${code('system')} and ${code('developer')}` : code('system');
  return place === 'anywhere' ? `${roles} at any place` : `one ${roles} at the head`;
}

function userOf(user) {
  if (user === false) return 'no user';
  const range = user.min === undefined ? `up to ${user.max}` : `${user.min} to ${user.max}`;
  return `${code(user.member ?? 'user')} of ${range} ${user.isToken ? 'letters, digits, `_` and `-`' : 'characters'}`;
}

const toolsOf = (types, listOf) =>
  types.length === 0
    ? 'functions only at a Responses endpoint'
    : `functions and ${listOf(types)} at a Responses endpoint`;

/** @returns words for the images that a vendor refuses */
const imagesOf = ({ textModels, types, bytesOnly } = {}, listOf) => [
  ...(textModels === undefined ? [] : [`texts alone for models like ${code(textModels.source)}`]),
  ...(types === undefined ? [] : [`images of ${listOf([...types])}`]),
  ...(bytesOnly === true ? ['images as bytes, none by address'] : []),
];

/** Words for the rules of chats, each true where the vendor asks for it. */
const CHAT_RULES = {
  needsThoughts: 'thoughts in every earlier turn of its thinking models',
  separatesTools: 'a turn of the assistant between a tool and a user',
  refusesEmptyTurns: 'no empty turns',
  needsText: 'text beside calls',
  joinsTexts: 'texts as one string',
  dropsEmptyTexts: 'no empty text beside an image',
  needsParameters: 'parameters of every function',
  needsWholeArguments: 'whole arguments of earlier calls',
  needsWordJson: 'the word JSON for answers in JSON',
};

/** A description in one line. */
export function describeInWords(description) {
  const { streamedSwitches, reasoning, toolChoices, serviceTiers, thoughts, refusesTopK } = description;
  const listOf = (names) => names.map(code).join(', ');
  return [
    instructionsOf(description.instructions),
    description.cap === 'either' ? 'either name of the cap' : `the cap as ${code(description.cap)}`,
    userOf(description.user),
    ...(reasoning === undefined ? [] : [`reasoning by ${listOf(reasoning)}`]),
    ...(streamedSwitches === undefined ? [] : [`${listOf(streamedSwitches)} in streams only`]),
    ...(thoughts === undefined ? [] : [`earlier thoughts as ${thoughts}`]),
    ...(toolChoices === undefined ? [] : [`choices of tools: ${listOf(toolChoices)}`]),
    ...(serviceTiers === undefined
      ? []
      : [serviceTiers.length === 0 ? 'no service tier' : `service tiers ${listOf(serviceTiers)}`]),
    ...(refusesTopK === true ? [`no ${code('top_k')}`] : []),
    ...Object.entries(CHAT_RULES).flatMap(([name, words]) =>
      (description.chats?.[name] ?? false) === false ? [] : [words],
    ),
    ...(description.reservedToolNames === undefined
      ? []
      : [`no function by the name ${listOf([...description.reservedToolNames])}`]),
    ...imagesOf(description.images, listOf),
    ...(description.messagesTools === undefined ? [] : ['plain tools at a Messages endpoint']),
    ...(description.responsesTools === undefined
      ? []
      : [toolsOf([...description.responsesTools.types], listOf)]),
  ].join('; ');
}

/** The evidence: links with the day they were read, and what else it rests on. */
function evidenceOf({ links, read, restsOn }) {
  if (links.length === 0) return `Not read: ${restsOn}.`;
  const pages = links.map((link, index) => `[${index + 1}](${link})`).join(', ');
  const when = read === undefined ? 'not read' : `read ${read}`;
  return `Evidence: ${pages} (${when})${restsOn === undefined ? '' : `; ${restsOn}`}.`;
}

/**
 * Entries for vendors with a description, in the order of their types; those of one description share an entry.
 * @returns pairs of names and text
 */
export function describedVendors(providers) {
  const byText = new Map();
  for (const provider of providers) {
    const description = descriptionOf(provider);
    if (description === undefined) continue;
    const text = `${describeInWords(description)}. ${evidenceOf(description.source)}`;
    const own = provider.channelTypes.map(({ code: number, name }) => `${name} (${number})`);
    byText.set(text, [...(byText.get(text) ?? []), ...own]);
  }
  return [...byText].map(([text, vendors]) => ({ vendors: vendors.join(', '), text }));
}
