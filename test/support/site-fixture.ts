import { test } from 'vitest';
import { openSite, type Site, type SiteOptions } from './site.ts';

/** Sites that are closed after the test, which fails on whatever is left over or disagrees. Fit for concurrent tests. */
export const it = test.extend<{ open: (options?: SiteOptions) => Promise<Site> }>({
  open: async ({ task }, use) => {
    const sites: Site[] = [];
    await use(async (options) => {
      const site = await openSite(options);
      sites.push(site);
      return site;
    });
    const closed = await Promise.allSettled(sites.map((site) => site.close()));
    const failed = closed.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failed.length > 0) throw new AggregateError(failed, `left behind by "${task.name}":\n${failed.join('\n')}`);
  },
});
