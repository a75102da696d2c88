import { describeClients } from './client-suite.js';
import { pythonClients } from './tool-chains.js';

describeClients('Python', pythonClients());
