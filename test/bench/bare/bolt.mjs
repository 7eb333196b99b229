import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import bolt from '@slack/bolt';

// As little as a Bolt app can be: it says what the product has said (SCRIPT), with the same calls to Slack and one durable commit where the
// product decides something, and knows nothing.

const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = process.env;
const script = process.env.SCRIPT ? JSON.parse(readFileSync(process.env.SCRIPT, 'utf8')) : {};
const clientOptions = { slackApiUrl: process.env.SLACK_API_URL };
const say = (msg, fields) => process.stdout.write(`${JSON.stringify({ level: 'info', msg, ...fields })}\n`);

const customRoutes = [{ path: '/readyz', method: ['GET'], handler: (_, res) => res.writeHead(200).end('ready\n') }];
const receiver = appToken
  ? new bolt.SocketModeReceiver({
      appToken,
      customRoutes,
      installerOptions: { port: 0, clientOptions },
      logLevel: 'error',
    })
  : new bolt.HTTPReceiver({ signingSecret, customRoutes, logLevel: 'error' });
const app = new bolt.App({ token, receiver, clientOptions, logLevel: 'error' });

let commit = () => {};
if (process.env.DATABASE) {
  const database = new DatabaseSync(process.env.DATABASE);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS clicks (id TEXT, at INTEGER)',
  );
  const insert = database.prepare('INSERT INTO clicks VALUES (?, ?)');
  commit = (id) => insert.run(id, Date.now());
}

/** What the product did when this was clicked, once more. */
async function again(key, { body, ack, client, respond }) {
  const step = script[key];
  if (!step) return ack();
  const call = ({ method, args }) => {
    if (method === 'response_url') return respond(args);
    const { view_id, trigger_id, ...others } = args;
    return client.apiCall(method, {
      ...others,
      ...(view_id && { view_id: body.view?.id ?? view_id }),
      ...(trigger_id && { trigger_id: body.trigger_id }),
    });
  };
  await Promise.all(step.before.map(call));
  if (step.commits) commit(body.trigger_id);
  await ack(step.ack ?? undefined);
  if (step.asksVendor) {
    const headers = { token: process.env.PROXY_API_TOKEN };
    await (await fetch(`${process.env.PROXY_API_BASE_URL}/v2/balance`, { headers })).text();
  }
  for (const made of step.after) await call(made);
}

app.command('/proxy', (args) => again(`command ${args.command.text.split(' ')[0]}`, args));
app.action(/.*/, (args) => again(`action ${args.action.action_id}`, args));
app.view(/.*/, (args) => again(`view ${args.view.callback_id}`, args));
app.options(/.*/, (args) => again('options', args));

const server = await app.start(0);
say('listening', { port: server?.address?.()?.port });
say('ready to serve');
