import type { ErrorRow } from '../error-row.js';

/** Imports from other gateways. */
export const IMPORT_ERRORS = {
  explanation_imported: {
    en: 'This call ran on {product} (log line {id}) and was imported: its charge was computed there, by prices that are not known here',
    zh: '该调用在 {product} 上执行（日志行 {id}），为导入数据：费用由原系统按其价格计算，此处没有相应价格',
  },
  import_running: {
    en: 'Another import is running on {place}: wait until it ends, or stop it',
    zh: '{place} 上已有导入正在运行：请等待其结束，或先停止它',
  },
  import_not_running: { en: 'No import is running', zh: '当前没有正在运行的导入' },
  import_source_missing: {
    status: 400,
    en: 'Upload a SQLite file, or enter the address of a database',
    zh: '请上传 SQLite 文件，或填写数据库地址',
  },
  import_address_refused: {
    status: 400,
    en: 'This address cannot be read: {reason}',
    zh: '无法读取该地址：{reason}',
  },
  import_address_empty: {
    status: 400,
    en: 'Name the source: an address such as mysql://…, postgres://… or sqlite:PATH',
    zh: '请指定来源：例如 mysql://…、postgres://… 或 sqlite:路径',
  },
  import_address_local: {
    status: 400,
    en: '"local" stands for a SQLite file: name it, sqlite:/path/to/one-api.db',
    zh: '"local" 代表 SQLite 文件：请指定该文件，如 sqlite:/path/to/one-api.db',
  },
  import_address_unknown: {
    status: 400,
    en: 'The address of the source is none that is known: write mysql://USER:PASSWORD@HOST/DATABASE, postgres://…, or sqlite:PATH',
    zh: '无法识别来源地址：请写作 mysql://用户:密码@主机/数据库、postgres://… 或 sqlite:路径',
  },
  import_address_without_file: {
    status: 400,
    en: 'The SQLite address names no file: write sqlite:/path/to/one-api.db',
    zh: 'SQLite 地址没有指定文件：请写作 sqlite:/path/to/one-api.db',
  },
  import_address_of_file: {
    status: 400,
    en: 'This address cannot be read: upload a SQLite file, or use npm run import on the server',
    zh: '无法读取该地址：请上传 SQLite 文件，或在服务器上使用 npm run import',
  },
  import_address_of_machine: {
    status: 400,
    en: 'This address cannot be read: sockets and files of this machine are read by npm run import only',
    zh: '无法读取该地址：本机的套接字和文件只能通过 npm run import 读取',
  },
  import_address_host_unknown: {
    status: 400,
    en: 'This address cannot be read: the name of the server is not known ({cause})',
    zh: '无法读取该地址：服务器名称无法解析（{cause}）',
  },
  import_file_missing: {
    status: 404,
    en: 'The uploaded file was removed, or a day has passed: upload it again',
    zh: '已上传的文件已被删除，或已超过一天：请重新上传',
  },
  import_file_elsewhere: {
    en: 'The uploaded file is on {place}, and {here} answered: repeat the request until it reaches {place}. If that never happens, let the load balancer keep a client on one instance, and upload the file again',
    zh: '已上传的文件在 {place} 上，而应答的是 {here}：请重复请求，直到到达 {place}。如果始终无法到达，请让负载均衡器将客户端固定到同一实例，再重新上传文件',
  },
  import_file_incomplete: {
    en: 'The upload ends at byte {received}: continue there',
    zh: '上传停在第 {received} 字节：请从此处继续',
  },
  import_file_not_sqlite: {
    status: 400,
    en: 'This file is no SQLite database. For MySQL and PostgreSQL enter the address of the database',
    zh: '该文件不是 SQLite 数据库。MySQL 和 PostgreSQL 请填写数据库地址',
  },
  import_file_too_large: {
    status: 413,
    en: 'The file is larger than {max} GB: use npm run import on the server',
    zh: '文件超过 {max} GB：请在服务器上使用 npm run import',
  },
  import_disk_full: {
    en: 'The data folder of this instance has no room for the file: make room, and upload it again',
    zh: '该实例的数据目录空间不足：请释放空间后重新上传',
  },
} as const satisfies Record<string, ErrorRow>;
