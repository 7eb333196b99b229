import type { Core } from '../core.ts';
import { Refused } from '../core.ts';
import { textAt } from '../json.ts';
import type { Method } from './method.ts';

/** Issues one-use addresses for Socket Mode; the sockets themselves are in delivery/socket.ts. */
export function authMethods(issueTicket: (core: Core) => string): Record<string, Method> {
  return {
    'auth.test': {
      token: 'bot',
      scopes: [],
      tier: 'auth',
      run: ({ state }) => ({
        url: `https://${state.team.domain}.slack.com/`,
        team: state.team.name,
        user: state.bot.name,
        team_id: state.team.id,
        user_id: state.bot.userId,
        bot_id: state.bot.botId,
        is_enterprise_install: false,
      }),
    },
    'apps.connections.open': { token: 'app', scopes: [], tier: 1, run: (core) => ({ url: issueTicket(core) }) },
    'bots.info': {
      token: 'bot',
      scopes: ['users:read'],
      tier: 3,
      run({ state }, args) {
        if ((textAt(args, 'bot') ?? state.bot.botId) !== state.bot.botId) throw new Refused('bot_not_found');
        const { botId, appId, userId, name } = state.bot;
        return { bot: { id: botId, deleted: false, name, updated: 0, app_id: appId, user_id: userId, icons: {} } };
      },
    },
    'team.info': {
      token: 'bot',
      scopes: ['team:read'],
      tier: 3,
      run: ({ state: { team } }) => ({
        team: { id: team.id, name: team.name, domain: team.domain, email_domain: '', icon: {} },
      }),
    },
  };
}
