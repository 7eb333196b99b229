import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import bolt from '@slack/bolt';

// As little as a Bolt app can be: it says what the product has said (SCRIPT), with the same calls to Slack, and knows nothing.

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

app.command('/proxy', async ({ command, ack, respond, client }) => {
  const [verb] = command.text.split(' ');
  if (verb === 'help') return ack(script.help);
  await ack();
  if (verb === 'buy') {
    await client.views.open({ trigger_id: command.trigger_id, view: script.view });
    return;
  }
  const answer = await fetch(`${process.env.PROXY_API_BASE_URL}/v2/balance`, {
    headers: { token: process.env.PROXY_API_TOKEN },
  });
  await answer.text();
  await respond(script.balance);
});
app.action(/.*/, async ({ body, ack, client }) => {
  await ack();
  commit(body.trigger_id);
  await client.views.update({ view_id: body.view.id, view: script.added });
});
app.options(/.*/, ({ ack }) => ack(script.options));

const server = await app.start(0);
say('listening', { port: server?.address?.()?.port });
say('ready to serve');
