import { describeClients } from '../client-suite.js';
import { goClients } from '../tool-chains.js';

describeClients('Go', goClients());
