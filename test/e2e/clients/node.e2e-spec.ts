import { describeClients } from './client-suite.js';
import { nodeClients } from './tool-chains.js';

describeClients('Node', nodeClients());
