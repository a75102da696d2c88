import { z } from 'zod';

/** A status page as the dashboard shows it; members and codes as consoles of this family read them. */
export const uptimeGroupSchema = z
  .object({
    categoryName: z.string(),
    description: z.string(),
    reachable: z.boolean().meta({ description: 'false: the page could not be read' }),
    monitors: z.array(
      z.object({
        name: z.string(),
        group: z.string(),
        status: z.int().min(0).max(3).meta({ description: '0 down, 1 up, 2 pending, 3 maintenance' }),
        uptime: z.number().min(0).max(1).meta({ description: 'share of the last 24 hours' }),
      }),
    ),
  })
  .meta({ id: 'UptimeGroup' });
export type UptimeGroup = z.infer<typeof uptimeGroupSchema>;
export type UptimeMonitor = UptimeGroup['monitors'][number];
