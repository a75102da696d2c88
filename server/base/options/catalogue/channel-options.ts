import { RETRIED_STATUSES } from '../../../relay-core/model/status-ranges.js';
import {
  type AffinityRule,
  affinityRules,
  DEFAULT_AFFINITY_RULES,
  wrongTemplate,
} from '../affinity-rules.js';
import { groupFlagMap } from '../option-documents.js';
import { choice, decimal, flag, integer, json, lines, statusRanges } from '../option-kinds.js';

/** Channels: when they are tested, disabled and retried, and which conversation stays where. */
export const CHANNEL_OPTIONS = {
  ChannelDisableThreshold: decimal(
    5,
    { min: 0, max: 86_400 },
    {
      tab: 'operation',
      heading: 'health',
      section: 'channels',
      help: 'Seconds a test may take in a test run; a slower channel is disabled where that is allowed. 0 = no limit.',
    },
  ),
  AutomaticDisableChannelEnabled: flag(false, {
    tab: 'operation',
    heading: 'health',
    section: 'channels',
    help: 'Disable a channel that is refused for good, is too slow in a test run, or has nothing left.',
  }),
  AutomaticEnableChannelEnabled: flag(false, {
    tab: 'operation',
    heading: 'health',
    section: 'channels',
    help: 'Enable an automatically disabled channel when a test succeeds.',
  }),
  AutomaticDisableKeywords: lines(
    [
      'credit balance is too low',
      'organization has been disabled',
      'exceeded your current quota',
      'permission denied',
      'security token included in the request is invalid',
      'operation not allowed',
      'account is not authorized',
    ],
    {
      tab: 'operation',
      heading: 'health',
      section: 'channels',
      help: 'Provider error texts (any letter case) that disable a channel.',
    },
  ),
  AutomaticRetryStatusCodes: statusRanges(RETRIED_STATUSES, {
    tab: 'operation',
    heading: 'health',
    section: 'channels',
    help: 'Upstream statuses after which another channel is tried.',
  }),
  AutomaticDisableStatusCodes: statusRanges('401', {
    tab: 'operation',
    heading: 'health',
    section: 'channels',
    help: 'Upstream statuses that disable a channel, once a test of our own met the same; 402 always counts, 400 never.',
  }),
  NativeChannelsFirst: flag(true, {
    tab: 'operation',
    heading: 'routing',
    section: 'channels',
    help: "Among channels of equal priority, those with the caller's API come first. Off in databases older than this option.",
  }),
  NativeChannelsFirstGroup: json<Readonly<Record<string, boolean>>>(
    {},
    groupFlagMap,
    'a JSON object of groups to true or false',
    {
      tab: 'operation',
      heading: 'routing',
      section: 'channels',
      help: 'Native channels first for a group, instead of the general setting.',
    },
  ),
  'monitor_setting.auto_test_channel_enabled': flag(false, {
    tab: 'operation',
    heading: 'health',
    section: 'channels',
    help: 'Test the channels on a schedule.',
  }),
  'monitor_setting.auto_test_channel_minutes': decimal(
    10,
    { min: 1, max: 43_200 },
    { tab: 'operation', heading: 'health', section: 'channels', help: 'Minutes between two test runs.' },
  ),
  'monitor_setting.channel_test_mode': choice(['scheduled_all', 'passive_recovery'], {
    tab: 'none',
    section: 'channels',
    help: 'scheduled_all tests every channel; passive_recovery only those that were disabled automatically, and never disables.',
  }),
  'channel_affinity_setting.enabled': flag(true, {
    tab: 'operation',
    heading: 'affinity',
    section: 'channels',
    help: 'Calls of one conversation go to the same channel, so that the vendor finds its prompt cache.',
  }),
  'channel_affinity_setting.switch_on_success': flag(true, {
    tab: 'operation',
    heading: 'affinity',
    section: 'channels',
    help: 'A success on another channel moves the conversation there.',
  }),
  'channel_affinity_setting.keep_on_channel_disabled': flag(false, {
    tab: 'none',
    section: 'channels',
    help: 'A conversation is remembered while its channel is off, and returns to it.',
  }),
  'channel_affinity_setting.max_entries': integer(
    100_000,
    { min: 100, max: 1_000_000 },
    { tab: 'none', section: 'channels', help: 'Conversations an instance remembers.' },
  ),
  'channel_affinity_setting.default_ttl_seconds': integer(
    3_600,
    { min: 1, max: 604_800 },
    {
      tab: 'operation',
      heading: 'affinity',
      section: 'channels',
      help: 'Seconds a conversation is remembered after its last call.',
    },
  ),
  'channel_affinity_setting.rules': json<readonly AffinityRule[]>(
    DEFAULT_AFFINITY_RULES,
    affinityRules,
    'a JSON list of affinity rules {name, model_regex, path_regex, key_sources, …}',
    {
      tab: 'operation',
      heading: 'affinity',
      section: 'channels',
      help: 'Which calls belong to one conversation, and the sources of their key.',
      faultOf: wrongTemplate,
    },
  ),
} as const satisfies Record<string, unknown>;
