import { SetMetadata } from '@nestjs/common';

export const OPEN_IN_DEMO_KEY = 'tollgate:open-in-demo';

/** A changing route that works on a demonstration site too: signing in and out, reading by POST. */
export const OpenInDemo = (): MethodDecorator => SetMetadata(OPEN_IN_DEMO_KEY, true);
