/** Key of this wire in vendor options and registries. */
export const COZE_FORMAT = 'coze-chat';

/** Names of the events that matter; their data does not tell a piece from the whole. */
export const COZE_EVENTS = {
  piece: 'conversation.message.delta',
  message: 'conversation.message.completed',
  completed: 'conversation.chat.completed',
  failed: 'conversation.chat.failed',
  wantsTool: 'conversation.chat.requires_action',
  error: 'error',
  end: 'done',
} as const;
