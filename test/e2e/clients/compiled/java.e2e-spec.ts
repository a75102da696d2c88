import { describeClients } from '../client-suite.js';
import { javaClients } from '../tool-chains.js';

describeClients('Java', javaClients());
