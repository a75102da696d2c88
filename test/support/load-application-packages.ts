// As load-nest.ts, for files that start the application.
import '@nestjs/core';
