import { client } from './journeys/client.ts';
import { clock } from './journeys/clock.ts';
import { forms } from './journeys/forms.ts';
import { monthlyReport } from './journeys/monthly-report.ts';
import { orderBook } from './journeys/order-book.ts';
import { purchases } from './journeys/purchases.ts';
import { renewing } from './journeys/renewing.ts';
import { surfaces } from './journeys/surfaces.ts';
import { tools } from './journeys/tools.ts';
import { twoPeople } from './journeys/two-people.ts';
import { setStage } from './stage.ts';

// One file, so that one browser and one sandbox serve all of them.
const stage = setStage();
purchases(stage);
forms(stage);
client(stage);
tools(stage);
renewing(stage);
twoPeople(stage);
surfaces(stage);
clock(stage);
orderBook(stage);
monthlyReport(stage);
