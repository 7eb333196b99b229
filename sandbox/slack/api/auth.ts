import type { Core } from '../core.ts';
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
  };
}
