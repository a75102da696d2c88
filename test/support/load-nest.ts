// @nestjs/throttler is CommonJS and requires this, an ES module: Jest refuses that while the same import is still being linked for a file of ours.
import '@nestjs/common';
