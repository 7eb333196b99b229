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
 *     expect(slack.violations).toEqual([]);
 *     await slack.close();
 *
 * Where real workspaces differ from a friendly one, a test switches it on, before or half-way:
 *
 * - presets that come by an update, in the state, missing or null until touched: `settings.presetsByUpdate`
 * - TCP stays open after the closing handshake: `settings.keepTcpOpen`, `sockets.releaseTcp()`
 * - messages that vanish: `world.deleteMessage`, `world.expireMessages`
 * - rate limits: `settings.enforceTiers`, by the clock `paceNow`
 * - messages refused: `world.setChannel(id, { refuses })`, `world.setPerson(id, { refuses })`, `archived`, `hasBot`, `isPrivate`
 * - two ids for one person: `world.setPerson(id, { enterpriseUserId, actsAs, listedAs })`, `settings.usersInfoId`
 * - no members in `usergroups.list`: `settings.omitGroupUsers`; any method refused: `faults.add(method, { kind: 'error', code })`
 */
export type { Settings, Tokens } from './core.ts';
export type { Forgery } from './delivery/index.ts';
export type { Fault, FaultRule, Faults } from './faults.ts';
export type { Listener, SlackEvent } from './feed.ts';
export type { Hands, MessageMatch, Submitted } from './hands.ts';
export type { Interactions } from './interactions.ts';
export { type LivePart, liveParts } from './live.ts';
export type { Screen } from './screen.ts';
export { type LocalSlack, type SlackOptions, startSlack } from './server.ts';
export { renderText } from './text.ts';
export type * from './types.ts';
export type { World } from './world.ts';
