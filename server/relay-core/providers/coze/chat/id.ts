/** Key of this format in vendor options and registries. */
export const COZE_FORMAT = 'coze-chat';

/** Names of the events that matter; their data alone does not distinguish a piece from the whole. */
export const COZE_EVENTS = {
  created: 'conversation.chat.created',
  inProgress: 'conversation.chat.in_progress',
  piece: 'conversation.message.delta',
  message: 'conversation.message.completed',
  completed: 'conversation.chat.completed',
  failed: 'conversation.chat.failed',
  wantsTool: 'conversation.chat.requires_action',
  error: 'error',
  end: 'done',
} as const;
