import type { SentenceRow } from '../sentence-row.js';

/** Opening a source, recognising its program, and the end of a run. */
export const SOURCE_SENTENCES = {
  file_missing: {
    en: '{path}: there is no such file. Check the path and the rights of this account',
    zh: '{path}：文件不存在。请检查路径和本账户的权限',
  },
  file_not_opened: {
    en: '{path}: it cannot be opened ({code}). Check the path and the rights of this account',
    zh: '{path}：无法打开（{code}）。请检查路径和本账户的权限',
  },
  file_is_folder: {
    en: '{path} is a folder: name the database file in it, often one-api.db',
    zh: '{path} 是目录：请指定其中的数据库文件，通常为 one-api.db',
  },
  file_not_sqlite: {
    en: '{path} is no SQLite database, or only the beginning of one. Copy it again',
    zh: '{path} 不是 SQLite 数据库，或只是其开头部分。请重新复制',
  },
  file_not_copied: {
    en: 'the copy of {path} in {folder} could not be written ({code}). A file with a write-ahead log is read from a copy: make room, or name another folder with TMPDIR',
    zh: '无法在 {folder} 中写入 {path} 的副本（{code}）。带预写日志的文件从副本读取：请释放空间，或用 TMPDIR 指定其他目录',
  },
  file_busy: {
    en: '{path} is being written to. Stop the old program, or read a copy of the file',
    zh: '{path} 正在被写入。请停止原程序，或读取该文件的副本',
  },
  file_damaged: {
    en: '{path} is damaged. Repair it with "sqlite3 FILE .recover", or take a backup',
    zh: '{path} 已损坏。请用 "sqlite3 文件 .recover" 修复，或使用备份',
  },
  file_without_log: {
    en: '{path} uses a write-ahead log, and there is no {path}-wal beside it. If the file was copied from a running program, its last changes are missing: stop the program and copy again, with the -wal file.',
    zh: '{path} 使用预写日志，但旁边没有 {path}-wal。如果文件是从运行中的程序复制的，则缺少最近的改动：请停止该程序，连同 -wal 文件重新复制。',
  },
  server_refuses: {
    en: 'the server of the source refuses the name or the password in the address. Correct them; special characters are written as %XX',
    zh: '来源服务器拒绝地址中的用户名或密码。请更正；特殊字符写作 %XX',
  },
  server_has_no_database: {
    en: 'the server of the source has no database of that name. Correct the end of the address',
    zh: '来源服务器上没有该名称的数据库。请更正地址末尾',
  },
  server_away: {
    en: 'no server answers at the address of the source ({code}). Start it, or correct host and port',
    zh: '来源地址上没有服务器应答（{code}）。请启动服务器，或更正主机和端口',
  },
  server_lost: {
    en: 'the connection to the source broke ({code}). Start the import again: it goes on where it stopped',
    zh: '与来源的连接中断（{code}）。请重新开始导入，将从中断处继续',
  },
  server_not_read: {
    en: 'the server at the address of the source cannot be read ({reason}). Check the beginning of the address, host and port',
    zh: '无法读取来源地址上的服务器（{reason}）。请检查地址开头、主机和端口',
  },
  address_wrong: { en: '{reason}', zh: '来源地址有误：{reason}' },
  source_is_ours: {
    en: 'this is a database of Tollgate: name it in DATABASE_URL, or restore a backup of it (docs/operating.md)',
    zh: '这是 Tollgate 的数据库：请在 DATABASE_URL 中指定它，或从备份恢复（docs/operating.md）',
  },
  source_is_relative: {
    en: "this is a database of {name} (it has {mark}), whose rows differ from new-api's and one-api's. It is not imported, and nothing was changed",
    zh: '这是 {name} 的数据库（含有 {mark}），其数据与 new-api 和 one-api 不同。未导入，也未更改任何内容',
  },
  source_is_too_old: {
    en: 'this database is of one-api before 0.3, which counted calls and not quota. Start one-api 0.6 on a copy of it once, and import that',
    zh: '该数据库来自 one-api 0.3 之前的版本，按次数而非额度计费。请用 one-api 0.6 在其副本上启动一次，再导入该副本',
  },
  source_unknown: {
    en: 'this is no database of new-api, one-api or LiteLLM: {lack}. Check the name of the database in the address',
    zh: '这不是 new-api、one-api 或 LiteLLM 的数据库：{lack}。请检查地址中的数据库名称',
  },
  source_lacks_tables: { en: 'it lacks the tables {tables}', zh: '缺少表 {tables}' },
  source_has_other_columns: { en: 'their columns are others', zh: '各表的列不同' },
  source_is_empty: {
    en: 'it has no tables: the address names an empty database or an empty file',
    zh: '其中没有任何表：该地址指向空的数据库或空文件',
  },
  litellm_is_incomplete: {
    en: 'this database of LiteLLM is not complete: it lacks {tables}',
    zh: '该 LiteLLM 数据库不完整：缺少 {tables}',
  },
  config_of_other_product: {
    en: 'a configuration file is read with LiteLLM only, and this is {product}: leave --config out',
    zh: '配置文件仅用于 LiteLLM，而来源是 {product}：请去掉 --config',
  },
  config_not_yaml: {
    en: 'the configuration file is not YAML. Check its indentation',
    zh: '配置文件不是 YAML。请检查缩进',
  },
  config_not_yaml_at: {
    en: 'the configuration file is not YAML (line {line}). Check its indentation',
    zh: '配置文件不是 YAML（第 {line} 行）。请检查缩进',
  },
  config_without_sections: {
    en: 'the configuration file has no sections: name the config.yaml of LiteLLM',
    zh: '配置文件没有任何章节：请指定 LiteLLM 的 config.yaml',
  },
  config_models_no_list: {
    en: 'model_list of the configuration file is no list',
    zh: '配置文件中的 model_list 不是列表',
  },
  unit_differs: {
    en: 'a dollar is {there} quota units there and {here} here: add --convert to convert every amount (the rounding is shown), or import into an empty installation',
    zh: '来源中一美元为 {there} 额度单位，此处为 {here}：请勾选换算（命令行 --convert，会显示舍入差额），或导入到空的实例',
  },
  run_server_stops: {
    en: 'the server is stopping: start the import again, it goes on',
    zh: '服务器正在停止：请重新开始导入，将继续进行',
  },
  run_was_stopped: {
    en: 'it was stopped: what is written stays, and a further run goes on',
    zh: '已停止：已写入的数据保留，再次运行将继续',
  },
  run_database_away: {
    en: 'the database here is full or away ({reason}). Make room or start it, and start the import again: it goes on where it stopped',
    zh: '本地数据库已满或不可用（{reason}）。请释放空间或启动数据库，然后重新开始导入，将从中断处继续',
  },
  run_failed: {
    en: '{reason}. Start the import again: it goes on where it stopped',
    zh: '{reason}。请重新开始导入，将从中断处继续',
  },
  run_refused: { en: '{refusal}', zh: '{refusal}' },
  undo_unknown: { en: 'there is no import {id}', zh: '没有编号为 {id} 的导入' },
  undo_done: { en: 'import {id} was taken back already', zh: '导入 {id} 已撤销' },
  undo_after_calls: {
    en: 'account {id} has made calls since: the import stays',
    zh: '账户 {id} 在导入后发起过调用：导入保留',
  },
  undo_after_quota: {
    en: 'account {id} has received or lost quota since: the import stays',
    zh: '账户 {id} 在导入后额度有变动：导入保留',
  },
  undo_during_call: {
    en: 'account {id} has a call running since: the import stays',
    zh: '账户 {id} 有正在进行的调用：导入保留',
  },
} as const satisfies Record<string, SentenceRow>;
