/**
 * A local Slack on loopback that enforces the real one's limits, with hands to act as people:
 *
 *     const slack = await startSlack({ people: [{ id: 'U1', name: 'ada' }], channels: [{ id: 'C1', members: ['U1'] }] });
 *     // start the app with slack.tokens and SLACK_API_URL=slack.apiUrl; in HTTP mode: slack.deliverTo(url)
 *     const ada = slack.as('U1');
 *     await ada.command('/proxy', 'buy');
 *     await ada.waitFor('Buy proxies');
 *     await ada.pick('Country', 'Germany');
 *     await ada.submit('Review');
 *     expect(ada.screen.folded).toEqual([]); // nothing that was said waits behind "See more"
 *     expect(slack.violations).toEqual([]);
 *     await slack.close();
 *
 * What goes wrong once is a fault: `faults` (any Web API call), `sockets` (connections), `redeliver`, `forge`.
 * What a real workspace does differently from a friendly one is switched on, before or half-way:
 *
 * - presets that come by an update are in the state, missing or null until touched: `settings.presetsByUpdate`
 * - one person with two ids: `world.setPerson(id, { enterpriseUserId, actsAs, listedAs })`, `settings.usersInfoId`
 * - rate limits: `settings.enforceTiers`, by the clock `paceNow`
 * - acknowledgements that are late, answers that are slow: by the clock `clock`
 * - `usergroups.list` without members: `settings.omitGroupUsers`; refused: `faults.add(method, { kind: 'error', code }, { times: Infinity })`
 * - charts (`data_visualization`) that a workspace does not know: `settings.takesCharts`
 * - messages that vanish: `world.deleteMessage`, `world.expireMessages`
 * - messages that are refused: `world.setChannel(id, { refuses })` or `archived`, `hasBot`, `isPrivate`; `world.setPerson(id, { refuses })`
 * - TCP that stays open after the closing handshake: `settings.keepTcpOpen`, `sockets.releaseTcp()`
 * - a refresh: `sockets.disconnect(reason, { stillTakes })`; the click that it caught, lost or sent again: `settings.unackedAtClose`
 * - people in their time zones, with their addresses: `world.setPerson(id, { timeZone, email })`
 * - shortcuts, which exist only where the manifest has them: `settings.shortcuts`, then `as(id).shortcut(name, { on })`
 * - a thread whose first message is gone: `world.deleteMessage`; what is posted there comes to stand in the channel
 * - a clock that differs from this machine's: `settings.clockAheadMs`
 * - a request URL that is verified before it counts: `saveRequestUrl(url)`
 */
export type { Fault, FaultRule } from './faults.ts';
export type { SlackEvent } from './feed.ts';
export { type Hands, PATIENCE_MS } from './hands.ts';
export type { Interactions } from './interactions.ts';
export { type LivePart, liveParts } from './live.ts';
export type { Screen } from './screen.ts';
export { type LocalSlack, type SlackOptions, startSlack } from './server.ts';
export { renderText } from './text.ts';
export type * from './types.ts';
