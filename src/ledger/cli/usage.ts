import { IMPORT_COLUMNS } from '../../purchasing/model/import.ts';
import { STATES } from '../../purchasing/model/purchase.ts';

export const USAGE = `Usage: npm run --silent ledger -- COMMAND

Looking, beside a running bot or without one:
  list [--json] [WHICH]      purchases, oldest first; --json: one line each
  show ID [--json]           a purchase with its entries and the vendor's raw answer; of an order or batch id, all its
                             purchases, and what people said about the order
  export [WHICH]             purchases as CSV; orders, imported ones too: orders --csv; what each has cost: spend --csv
  orders [--json | --csv]    what the team has, an order a line, by its id; ends are computed by us
  movements [--json]         what the balance did between two readings, oldest first, and what explains it: ours, top_up, elsewhere or unknown;
                             with who has said that they know about it, when, and their note
  spend [PERIOD] [by person | by plan | by country] [--json | --csv]
                             what was spent and what else the balance did; PERIOD: this month (as without), last month, 90d or 2026-11;
                             months are those of the policy's reports.time_zone
  said [--json]              what belongs to no purchase, oldest first: imports, what people said about orders and falls of the balance,
                             saved baskets, freezes
  status [--json]            what is open, owed and frozen, and which processes of the bot are there
  check                      compares all of it with itself, which takes seconds on a large one (SQLite); 0: it is sound
  backup FILE                writes a copy to restore from (SQLite); spending on it is frozen
  copy --from A --to B       copies a ledger that no bot uses into a database that has none: sqlite:… or postgres://…;
                             one of the two may be left out for DATABASE_URL; spending on the copy is frozen

Changing, also without Slack; those who approve are told:
  freeze REASON              stops all sending
  unfreeze                   ends that

Writing down orders that were bought elsewhere; it spends nothing:
  import FILE [--dry-run]    a list of them as CSV, - for standard input: all of it, or every line that is wrong; the plans are those
                             of policy.yml (POLICY_FILE). Its first line:
                             ${IMPORT_COLUMNS.join(',')}
                             countries as US 10; DE 5, days as 2026-01-31, owner a Slack user id; the last three may be empty

WHICH of the purchases, all that are given together:
  --state STATE[,STATE]      of ${STATES.join(', ')}
  --person ID                asked for by this Slack user id
  --order ID                 with this order id
  --since DATE|DURATION      asked for since 2026-01-31 or 2026-01-31T12:00Z (UTC), or in the last 15m, 24h or 7d
  --limit N                  of these, the newest N

Exit codes: 0 done; 1 could not be done; 2 not understood; 78 the settings are wrong.
`;
