import Dialog from '@mui/material/Dialog';
import type { ComponentType } from 'react';
import type { Channel } from './api';

export interface ChannelDialogProps {
  /** Null = closed. */
  channel: Channel | null;
  onClose: () => void;
}

/**
 * A dialog about one channel, begun anew for each.
 * @param titleId  id of the heading in the body
 */
export function channelDialog(
  titleId: string,
  Body: ComponentType<{ channel: Channel; onClose: () => void }>,
): ComponentType<ChannelDialogProps> {
  return function ChannelDialog({ channel, onClose }: ChannelDialogProps) {
    return (
      <Dialog open={channel !== null} onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={titleId}>
        {channel !== null && <Body key={channel.id} channel={channel} onClose={onClose} />}
      </Dialog>
    );
  };
}
