import { describeClients } from '../client-suite.js';
import { rustClients } from '../tool-chains.js';

describeClients('Rust', rustClients());
