// Generated from docs/openapi.json by "npm run docs". Do not edit.

export interface paths {
    "/api/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_about"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Audit_chain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelBin_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/channel/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelBin_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/channel/wipe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelBin_wipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/redemption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["CodeBin_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/redemption/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CodeBin_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/redemption/wipe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CodeBin_wipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TokenBin_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/token/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TokenBin_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/token/wipe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TokenBin_wipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["AccountBin_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bin/user/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["AccountBin_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Channels_list"];
        put: operations["Channels_update"];
        post: operations["Channels_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Channels_get"];
        put?: never;
        post?: never;
        delete: operations["Channels_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Channels_removeMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/priority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelTags_prioritise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelTags_switchChannels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/batch/tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelTags_tagChannels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/copy/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Channels_copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["Channels_removeDisabled"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fetch_models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelProbes_fetchModelsOf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fetch_models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_fetchModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/fix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Channels_repair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelHealth_last24Hours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/health/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelHealth_ofChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/job/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelLatency_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ModelLists_catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/models_enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ModelLists_enabled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/multi_key/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelKeys_manage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/native-forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["NativeForecast_forecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelTypes_listPresets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Channels_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Channels_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["ChannelTags_edit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag/disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelTags_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/tag/enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ChannelTags_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_testAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/test/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_testOne"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelTypes_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/update_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_refreshBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channel/update_balance/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ChannelProbes_refreshBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_byChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/self/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TagUse_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/self/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_ownByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TagUse_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_byToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_byUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/data/warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Dashboard_warnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Groups_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/home_page_content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_homePageContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Import_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Import_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Import_beginFile"];
        delete: operations["Import_removeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/file/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["Import_appendFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Import_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/run/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Import_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Limits_list"];
        put?: never;
        post: operations["Limits_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Limits_get"];
        put: operations["Limits_update"];
        post?: never;
        delete: operations["Limits_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Limits_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/{id}/override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["Limits_override"];
        post?: never;
        delete: operations["Limits_endOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Limits_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Limits_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/rights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OwnLimits_rights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OwnLimits_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Logs_list"];
        put?: never;
        post?: never;
        delete: operations["Logs_deleteBefore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/{reference}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Explanations_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogExport_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogSuggestions_failures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Logs_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["SelfLogs_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogExport_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["SelfLogs_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogStatistics_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/self/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogSuggestions_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogStatistics_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LogSuggestions_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TokenLog_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mj": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Drawings_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mj/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Drawings_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ModelLists_byType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_notice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/email/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["AccountMail_bindByGet"];
        put?: never;
        post: operations["AccountMail_bind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/github": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OAuth_github"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/linuxdo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OAuth_linuxdo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OAuth_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/oidc/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["OAuth_discover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["OAuth_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OAuth_state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/telegram/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Telegram_bindByRedirect"];
        put?: never;
        post: operations["Telegram_bind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/telegram/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Telegram_login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/wechat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WeChat_login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/wechat/bind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WeChat_bindByGet"];
        put?: never;
        post: operations["WeChat_bind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Operations_alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Operations_acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Operations_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/history/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Operations_acceptHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Operations_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/jobs/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Operations_runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Operations_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Options_list"];
        put: operations["Options_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Options_fields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Options_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/rest_model_ratio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Options_resetModelRatio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Options_rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/rollback_version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Options_rollBackVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/option/test_mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TestMail_sendTestMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["PriceList_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PriceLookup_lookUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PricePreview_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/sync/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PriceSync_apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/sync/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PriceSync_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/unset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["PriceList_unset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["PriceVersions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/versions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["PriceVersions_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing/versions/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PriceVersions_rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_privacyPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ratio_config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["PriceList_ratioConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Redemptions_list"];
        put: operations["Redemptions_update"];
        post: operations["Redemptions_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Redemptions_get"];
        put?: never;
        post?: never;
        delete: operations["Redemptions_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/creators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Redemptions_creators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/invalid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["Redemptions_removeInvalid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Redemptions_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redemption/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Redemptions_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reset_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["AccountMail_requestReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Setup_status"];
        put?: never;
        post: operations["Setup_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tasks_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/task/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tasks_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tokens_list"];
        put: operations["Tokens_update"];
        post: operations["Tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tokens_get"];
        put?: never;
        post?: never;
        delete: operations["Tokens_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tokens_lastCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Tokens_reveal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["AdministeredTokens_lock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["AdministeredTokens_unlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["AdministeredTokens_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Tokens_removeMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["AdministeredTokens_find"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Tokens_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Tokens_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uptime/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Uptime_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TokenUsage_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Users_list"];
        put: operations["Users_edit"];
        post: operations["Users_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Status_userAgreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Users_get"];
        put?: never;
        post?: never;
        delete: operations["Users_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["UserFactors_get"];
        put?: never;
        post?: never;
        delete: operations["UserFactors_resetTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/identity/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["UserIdentities_free"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Ledger_ofUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Users_purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/reset_passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["UserFactors_resetPasskeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["UserSignIns_endAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}/sign_ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["UserSignIns_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/2fa/backup_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TwoFactor_renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TwoFactor_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/2fa/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TwoFactor_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TwoFactor_setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/2fa/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TwoFactor_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/aff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Self_affCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/aff_transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Self_transferEarnings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TopUp_amount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Groups_ofGuests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Ledger_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Auth_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Auth_confirmLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Auth_unlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Auth_logoutByGet"];
        put?: never;
        post: operations["Auth_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Users_manage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ModelLists_ofCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Passkeys_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["Passkeys_rename"];
        post?: never;
        delete: operations["Passkeys_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/login/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_beginLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/login/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_finishLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/register/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_beginRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/register/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_finishRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/verify/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_beginProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkey/verify/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Passkeys_finishProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TopUp_pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Registration_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PasswordReset_confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/reset/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ResetMethods_list"];
        put?: never;
        post?: never;
        delete: operations["ResetMethods_release"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Users_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Self_get"];
        put: operations["Self_edit"];
        post?: never;
        delete: operations["Self_leave"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Groups_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/identities/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["OwnIdentities_unbind"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Self_listSessions"];
        put?: never;
        post?: never;
        delete: operations["Self_closeAllSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["Self_closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/self/weekly_email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WeeklyEmail_get"];
        put: operations["WeeklyEmail_change"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/setting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["Self_changeSetting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/setting/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Self_testSetting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/stripe/amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TopUp_stripeAmount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/stripe/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TopUp_stripePay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Self_renewTokenByGet"];
        put?: never;
        post: operations["Self_renewToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Orders_list"];
        put?: never;
        post: operations["Redeem_redeem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Orders_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TopUp_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/order/{trade_no}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Orders_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Orders_refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TopUp_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/topup/self/{trade_no}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["TopUp_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["AccountMail_sendCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["StepUp_prove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["StepUp_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AdministeredToken: {
            /** @description seconds */
            created_time: number;
            /** @description seconds, -1 = never */
            expired_time: number;
            /** @description empty = the owner's group */
            group: string;
            id: number;
            /** @description the first and last four characters of the key; empty = it cannot be opened */
            key_mask: string;
            /** @description seconds, 0 = never */
            last_used_time: number;
            lock: {
                /** @description seconds */
                at: number;
                /** @description name of the administrator */
                by: string;
                by_id: number;
                reason: string;
            } | null;
            name: string;
            remain_quota: number;
            /** @description 1 enabled, 2 disabled, 3 expired, 4 exhausted */
            status: number;
            unlimited_quota: boolean;
            used_quota: number;
            user_id: number;
            username: string;
        };
        AdministeredTokenPage: {
            /** @description false = the search by prefix ended after 20,000 keys; narrow it by owner */
            is_complete: boolean;
            readonly items: components["schemas"]["AdministeredToken"][];
            page: number;
            page_size: number;
            total: number;
        };
        AffTransfer: {
            operation_id?: string;
            quota: number;
        };
        AttemptUse: {
            /** @description since when attempts are counted, seconds; null = none was yet */
            counted_since: number | null;
            /** @description with most attempts first, 50 at most */
            lines: {
                attempts: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                /** @description of attempts that answered; null = none */
                duration_p95_ms: number | null;
                /** @description attempts that failed through the channel */
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                /** @description of streamed answers; null = none */
                first_token_p95_ms: number | null;
                name: string;
                /** @description id of the channel; 0 = a model */
                reference: number;
            }[];
            series: {
                attempts: number;
                /** @description start of the hour or day, seconds */
                created_at: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                /** @description of attempts that answered; null = none */
                duration_p95_ms: number | null;
                /** @description attempts that failed through the channel */
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                /** @description of streamed answers; null = none */
                first_token_p95_ms: number | null;
            }[];
            total: {
                attempts: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                /** @description of attempts that answered; null = none */
                duration_p95_ms: number | null;
                /** @description attempts that failed through the channel */
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                /** @description of streamed answers; null = none */
                first_token_p95_ms: number | null;
            };
        };
        AuditChain: {
            checked_at: number;
            fault: {
                /** @enum {string} */
                kind: "changed" | "missing" | "misplaced" | "head" | "base";
                sequence: number;
            } | null;
            /** @description oldest row kept; 0 = none */
            first_sequence: number;
            /** @description keep a copy elsewhere: it vouches for all rows before it */
            head_hash: string;
            head_sequence: number;
            intact: boolean;
            /** @description newest row up to which everything fits; 0 = none */
            verified_up_to: number;
        };
        AuditEvent: {
            action: string;
            /** @description 0 = the system, or somebody not signed in */
            actor_id: number;
            /** @description name at that moment; empty when not known */
            actor_name: string;
            actor_role: number;
            /** @description seconds */
            created_at: number;
            /** @description JSON object; secrets are replaced by "changed" */
            detail: string;
            hash: string;
            ip: string;
            request_id: string;
            sequence: number;
            target_id: string;
            target_type: string;
        };
        AuditPage: {
            items: components["schemas"]["AuditEvent"][];
            page: number;
            page_size: number;
            total: number;
        };
        BinIds: {
            ids: number[];
        };
        BinItem: {
            /** @description seconds */
            deleted_at: number;
            /** @description account that deleted it; 0 = not known */
            deleted_by: number;
            deleted_by_name: string;
            /**
             * @description reason it cannot be restored: not_kept = its key or personal fields are gone, left = its owner deleted the account, owner_deregistered = its account is deregistered; empty = it can be restored
             * @enum {string}
             */
            hindrance: "" | "not_kept" | "left" | "owner_deregistered";
            id: number;
            /** @description providers whose identities a deregistered account still has; empty for other rows */
            identities: ("github" | "oidc" | "linuxdo" | "wechat" | "telegram")[];
            /** @description seconds; it can be restored until then, 0 = it cannot */
            kept_until: number;
            name: string;
            /** @description account it belongs to; 0 for a channel */
            owner_id: number;
            owner_name: string;
        };
        BinPage: {
            items: components["schemas"]["BinItem"][];
            page: number;
            page_size: number;
            total: number;
        };
        CatalogueModel: {
            created: number;
            id: string;
            /** @enum {string} */
            object: "model";
            owned_by: string;
        };
        Channel: {
            /** @description 1 = may be disabled automatically */
            auto_ban: number;
            /** @description in the provider's own unit */
            balance: number;
            balance_updated_time: number;
            /** @description empty = the default address of the type */
            base_url: string;
            channel_info: components["schemas"]["ChannelKeyRing"];
            /** @description seconds */
            created_time: number;
            /** @description comma-separated */
            group: string;
            /** @description JSON object of headers laid over the provider's own */
            header_override: string;
            id: number;
            /**
             * @description always empty
             * @enum {string}
             */
            key: "";
            /** @description longest prompt the channel is given, in tokens; 0 = any */
            max_input_tokens: number;
            /** @description JSON object, client model → upstream model */
            model_mapping: string;
            /** @description comma-separated */
            models: string;
            name: string;
            /** @description documents in force that would be refused if they were saved today, as "document: place"; they work as they did */
            needs_look: string[];
            openai_organization: string;
            /** @description meaning depends on the type: API version, region, account id, bot id */
            other: string;
            /** @description JSON with status_reason, status_time and, where it was not the usual one, status_test */
            other_info: string;
            /** @description JSON object merged over the request body, or {"operations": […]} */
            param_override: string;
            priority: number;
            remark: string;
            /** @description milliseconds of the last successful test, 0 = none yet */
            response_time: number;
            /** @description JSON object: proxy, force_format, system_prompt, … */
            setting: string;
            /** @description JSON object with settings of the vendor's adapter */
            settings: string;
            /** @description 1 enabled, 2 disabled by hand, 3 disabled automatically */
            status: number;
            /** @description JSON object, upstream status → status for the client */
            status_code_mapping: string;
            tag: string;
            /** @description why the last test failed; empty = it succeeded, or there was none */
            test_failure: string;
            test_model: string;
            /** @description seconds of the last test, failed or not; 0 = never */
            test_time: number;
            /** @description channel type code */
            type: number;
            used_quota: number;
            weight: number;
        };
        ChannelBatchPriority: {
            ids: number[];
            priority: number;
        };
        ChannelBatchStatus: {
            ids: number[];
            /** @description 1 enables, 2 disables */
            status: 1 | 2;
        };
        ChannelBatchTag: {
            ids: number[];
            /**
             * @description null removes the tag; an empty one is refused
             * @default
             */
            tag?: string | null;
        };
        ChannelCircuit: {
            /** @description places of the keys that rest; empty = one key */
            keys: number[];
            /** @description empty = the whole channel */
            model: string;
            /** @description seconds; when a call is let through again, in the past = now; null = not known */
            retry_at: number | null;
            /** @description seconds */
            since: number;
            workers: number;
        };
        ChannelCopy: {
            /** @description absent: the old name with a suffix */
            name?: string;
        } | null;
        ChannelEdit: {
            auto_ban?: (number | boolean) | null;
            base_url?: string | null;
            group?: string | string[];
            header_override?: (string | {
                [key: string]: unknown;
            }) | null;
            id: number;
            /** @description write only; absent or empty on an edit keeps the stored key, null removes it and switches the channel off */
            key?: string | null;
            /**
             * @description of a channel with several keys: whether keys in `key` are added or take the place of all
             * @enum {string}
             */
            key_mode?: "append" | "replace";
            max_input_tokens?: (number | string) | null;
            model_mapping?: (string | {
                [key: string]: unknown;
            }) | null;
            models?: string | string[];
            /**
             * @description of a channel with several keys: each in turn, or by chance
             * @enum {string}
             */
            multi_key_mode?: "polling" | "random";
            name?: string;
            openai_organization?: string | null;
            other?: string | null;
            param_override?: (string | {
                [key: string]: unknown;
            }) | null;
            priority?: (number | string) | null;
            remark?: string | null;
            setting?: (string | {
                [key: string]: unknown;
            }) | null;
            settings?: (string | {
                [key: string]: unknown;
            }) | null;
            status?: number;
            status_code_mapping?: (string | {
                [key: string]: unknown;
            }) | null;
            tag?: string | null;
            test_model?: string | null;
            type?: number;
            weight?: (number | string) | null;
        };
        ChannelFailure: {
            /** @description seconds */
            at: number;
            /** @description the provider's own sentence without secrets; empty = none */
            message: string;
            model: string;
            /** @description kind of failure, such as upstream-key-refused */
            reason: string;
            /** @description status of the provider; 0 = it did not answer */
            status: number;
        };
        ChannelHealth: {
            bucket_seconds: number;
            channels: {
                /** @description attempts, those of retried calls among them */
                attempts: number[];
                /** @description tokens that the provider bills for attempts that failed; no caller is charged */
                billed_empty_tokens: number[];
                channel_id: number;
                circuits: components["schemas"]["ChannelCircuit"][];
                /** @description the same as failures */
                errors: number[];
                /** @description attempts that failed through the channel: its provider, key or address */
                failures: number[];
                last_failure: components["schemas"]["ChannelFailure"] | null;
                /** @description median duration of attempts that answered; null = none answered */
                median_ms: (number | null)[];
                /** @description median duration of attempts that answered; null = none answered */
                median_seconds: (number | null)[];
                /** @description 95 % of the attempts that answered took at most this long; null = none answered */
                p95_ms: (number | null)[];
                /** @description attempts less failures */
                success: number[];
            }[];
            /** @description since when attempts are counted, seconds; null = none was yet */
            counted_since: number | null;
            /** @description start of the first bucket, seconds */
            since: number;
        };
        ChannelIds: {
            ids: number[];
        };
        ChannelInput: {
            auto_ban?: (number | boolean) | null;
            base_url?: string | null;
            /** @description id of the channel whose stored key is taken when no key is sent; type, address and proxy must be the same */
            copy_from?: number;
            /** @default default */
            group?: string | string[];
            header_override?: (string | {
                [key: string]: unknown;
            }) | null;
            /** @description write only; absent or empty on an edit keeps the stored key, null removes it and switches the channel off */
            key?: string | null;
            max_input_tokens?: (number | string) | null;
            /**
             * @description batch: one channel per line of the key; multi_to_single: one channel with all of them; single: the key is taken whole; absent: lines are split into channels, except for JSON keys
             * @enum {string}
             */
            mode?: "single" | "batch" | "multi_to_single";
            model_mapping?: (string | {
                [key: string]: unknown;
            }) | null;
            models: string | string[];
            /**
             * @description of a channel with several keys: each in turn, or by chance
             * @enum {string}
             */
            multi_key_mode?: "polling" | "random";
            name: string;
            openai_organization?: string | null;
            other?: string | null;
            param_override?: (string | {
                [key: string]: unknown;
            }) | null;
            priority?: (number | string) | null;
            remark?: string | null;
            setting?: (string | {
                [key: string]: unknown;
            }) | null;
            settings?: (string | {
                [key: string]: unknown;
            }) | null;
            status?: number;
            status_code_mapping?: (string | {
                [key: string]: unknown;
            }) | null;
            tag?: string | null;
            test_model?: string | null;
            /** @default 1 */
            type?: number;
            weight?: (number | string) | null;
        };
        ChannelKey: {
            /** @description last characters, to tell keys apart by */
            hint: string;
            index: number;
            reason: string;
            /** @description 1 enabled, 2 disabled by hand, 3 disabled automatically */
            status: number;
            /** @description seconds since it is off, 0 = it is on */
            time: number;
        };
        ChannelKeyAction: {
            /** @enum {string} */
            action: "get_key_status" | "enable_key" | "disable_key" | "delete_key" | "enable_all_keys" | "disable_all_keys" | "delete_disabled_keys";
            channel_id: number;
            key_index?: number;
            /** @default 1 */
            page?: number;
            /** @default 100 */
            page_size?: number;
            /** @description only keys in this state */
            status?: number;
        };
        ChannelKeyList: {
            auto_disabled_count: number;
            /** @description keys the action changed */
            changed: number;
            enabled_count: number;
            keys: components["schemas"]["ChannelKey"][];
            manual_disabled_count: number;
            page: number;
            page_size: number;
            total: number;
        };
        ChannelKeyRing: {
            is_multi_key: boolean;
            /** @enum {string} */
            multi_key_mode: "" | "polling" | "random";
            /** @description keys that are off */
            multi_key_off: number;
            multi_key_size: number;
        };
        ChannelLatency: {
            /** @description since when attempts are counted, seconds; null = none was yet */
            counted_since: number | null;
            /** @description seconds */
            from: number;
            /** @description most attempts first, 500 at most */
            rows: {
                attempts: number;
                channel_id: number;
                /** @description empty = the channel never existed */
                channel_name: string;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                /** @description of attempts that answered; null = none */
                duration_p95_ms: number | null;
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                /** @description of streamed answers; null = none */
                first_token_p95_ms: number | null;
                model: string;
                /** @description dollars per million input tokens before the factor of a group; null = no such price */
                price_input: number | null;
                /** @description dollars per million output tokens before the factor of a group; null = no such price */
                price_output: number | null;
                /** @description dollars before the factor of a group; null = no price by calls */
                price_per_call: number | null;
                /** @description of streamed answers after their first token; null = none */
                tokens_per_second: number | null;
            }[];
            /** @description seconds */
            to: number;
            /** @description pairs of model and channel with attempts, left out ones included */
            total: number;
        };
        ChannelPreset: {
            /** @description empty = the address is the operator's own */
            base_url: string;
            base_url_example: string;
            description: {
                en: string;
                zh: string;
            };
            /** @description stored in the channel: `settings`, member `preset` */
            id: string;
            key_example: string;
            /** @description how keys begin that this vendor alone gives; empty = not known */
            key_prefix: string;
            /** @description one or two letters in place of a logo */
            mark: string;
            /** @description to fill the list with; empty = to be fetched */
            models: string[];
            name: string;
            /** @description the vendor's page */
            page: string;
            /** @description members of `settings`: paths of other APIs at the same address */
            paths: {
                gemini_path?: string;
                messages_path?: string;
                responses_path?: string;
            };
            /** @description day the page was read; empty = it was not */
            read_on: string;
            /** @description type that the channel is stored as */
            type: number;
        };
        ChannelStatistics: {
            bucket_seconds: number;
            channel_id: number;
            circuits: components["schemas"]["ChannelCircuit"][];
            /** @description since when attempts are counted, seconds; null = none was yet */
            counted_since: number | null;
            /** @description start of the first bucket, seconds */
            from: number;
            last_failure: components["schemas"]["ChannelFailure"] | null;
            models: {
                attempts: number;
                /** @description tokens that the provider bills for attempts that failed */
                billed_tokens: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                duration_p95_ms: number | null;
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                first_token_p95_ms: number | null;
                model: string;
                /** @description of streamed answers after their first token; null = none */
                tokens_per_second: number | null;
            }[];
            /** @description why attempts have no whole answer, most frequent first */
            reasons: {
                attempts: number;
                /** @description false = the caller, its request or the gateway ended the attempt */
                is_channel_failure: boolean;
                /** @description kind of failure; unfinished = the gateway stopped before its end */
                reason: string;
                /** @description status of the provider; 0 = it did not answer */
                status: number;
            }[];
            series: {
                /** @description seconds */
                at: number;
                attempts: number;
                /** @description tokens that the provider bills for attempts that failed */
                billed_tokens: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                duration_p95_ms: number | null;
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                first_token_p95_ms: number | null;
            }[];
            /** @description seconds */
            to: number;
            totals: {
                attempts: number;
                /** @description tokens that the provider bills for attempts that failed */
                billed_tokens: number;
                /** @description of attempts that answered; null = none */
                duration_p50_ms: number | null;
                duration_p95_ms: number | null;
                failures: number;
                /** @description of streamed answers; null = none */
                first_token_p50_ms: number | null;
                first_token_p95_ms: number | null;
            };
        };
        ChannelTag: {
            tag: string;
        };
        ChannelTagEdit: {
            groups?: (string | string[]) | null;
            model_mapping?: (string | {
                [key: string]: unknown;
            }) | null;
            models?: (string | string[]) | null;
            new_tag?: string | null;
            priority?: (number | string) | null;
            tag: string;
            weight?: (number | string) | null;
        };
        ChannelType: {
            /** @description used when a channel names none; empty = it must name one */
            base_url: string;
            /** @description where an address has to be named */
            base_url_example: string;
            code: number;
            has_balance: boolean;
            /** @description false: kept for channels of other installations, not offered for new ones */
            is_offered: boolean;
            /** @description member `type` of a key that is a JSON document; empty = no such keys */
            key_document_type: string;
            key_example: string;
            /** @enum {string} */
            key_format: "token" | "any" | "json" | "access_keys_region" | "two_parts" | "three_parts" | "id_secret" | "app_key" | "token_or_three_parts";
            /** @description beginnings of keys that this vendor alone issues; empty = none is known */
            key_prefixes: string[];
            lists_models: boolean;
            name: string;
            /** @description words that stand for an address */
            named_base_urls: string[];
            needs_base_url: boolean;
            needs_other: boolean;
            operations: ("chat" | "embed" | "image" | "speak" | "transcribe" | "moderate" | "rerank" | "submit")[];
            /**
             * @description what the field `other` means
             * @enum {string}
             */
            other: "none" | "api_version" | "region" | "account_id" | "bot_id" | "library_id" | "plugin" | "model_version";
            other_example: string;
            /** @description members of `settings`; no choices and no example = on or off */
            switches: {
                choices: string[];
                name: string;
                /** @description present: a path of the address is typed */
                path_example?: string;
            }[];
        };
        ChargeExplanation: {
            /** @description tries in order; empty for users */
            attempts: {
                channel_id: number;
                channel_name: string;
                ended_at_ms: number | null;
                /** @description empty = it answered */
                failure: string;
                started_at_ms: number | null;
                upstream_status: number | null;
            }[];
            charge: {
                /** @description whose factor it is, where it replaced that of the group; `models` = the name or pattern it is agreed for, null = all of them */
                agreed_for: {
                    account_group: string;
                    models: string | null;
                } | null;
                base_ratio: string;
                charged: number;
                /** @description a later correction of an estimate; positive = given back */
                correction: number;
                /** @description sum before rounding, exact decimal */
                exact: string;
                /** @description what size and quality multiply a picture's price with; part of the step's ratio */
                factor: {
                    name: string;
                    ratio: string;
                } | null;
                formula: string;
                group_ratio: string;
                /** @description charged + writeoff = priced */
                is_consistent: boolean;
                /** @enum {string} */
                mode: "ratio" | "call";
                /** @description what the formula gives today */
                priced: number;
                /** @description half-up, minimum, nothing-used, free */
                rounding: string;
                /** @description class of service that has a factor of its own; on top of the ratios of the steps */
                service_tier: {
                    name: string;
                    ratio: string;
                } | null;
                steps: {
                    count: number;
                    /** @description kind of token, "call" for a price per call, "tool" for a tool of the vendor */
                    part: string;
                    /** @description the bucket's own multiplier, exact decimal; of a call its dollars, of a tool those per thousand uses */
                    ratio: string;
                    /** @description exact decimal, in quota */
                    subtotal: string;
                    /** @description which tool, as tool_price_setting.prices spells it */
                    tool?: string;
                }[];
                /** @description prices of long calls that applied; part of the ratios of the steps */
                tier: {
                    above: number;
                    input: string;
                    output: string;
                } | null;
                /** @description the part the balance did not cover */
                writeoff: number;
            };
            completion_tokens: number;
            /** @description seconds */
            created_at: number;
            duration_ms: number | null;
            /** @description where the token counts come from: reported, bounded, counted, estimated, none */
            evidence: string;
            first_byte_ms: number | null;
            group: string;
            /** @description the model had no price: the fallback ratio was used */
            is_price_unset: boolean;
            is_stream: boolean;
            /** @description limits the call counts under, in the periods of its admission */
            limits: {
                limit_id: number;
                measure: string;
                /** @description seconds; 0 = ever */
                period_start: number;
                /** @description in the unit of the measure */
                used: number;
            }[];
            model: string;
            /** @description ok, partial, client_abort, limit, recovered */
            outcome: string;
            /** @description revision of the options the prices came from */
            price_revision: number;
            prompt_tokens: number;
            request_id: string;
        };
        CompleteOrder: {
            /** @default  */
            reason?: string;
            trade_no: string;
            /**
             * @description root only: who gets it when the account that ordered is deregistered; 0 = the account that ordered
             * @default 0
             */
            user_id?: number;
        };
        CreatedChannels: {
            ids: number[];
        };
        Drawing: {
            action: string;
            /** @description JSON text; empty = none */
            buttons: string;
            /** @description 0 for ordinary users */
            channel_id: number;
            /** @description what the upstream answered to the submission */
            code: number;
            description: string;
            fail_reason: string;
            /** @description milliseconds; 0 = not finished */
            finish_time: number;
            id: number;
            /** @description empty = no picture yet */
            image_url: string;
            mj_id: string;
            /** @description text such as 30% */
            progress: string;
            prompt: string;
            prompt_en: string;
            /** @description JSON text; empty = none */
            properties: string;
            /** @description what was charged */
            quota: number;
            /** @description milliseconds; 0 = not begun */
            start_time: number;
            state: string;
            status: string;
            /** @description milliseconds */
            submit_time: number;
            user_id: number;
        };
        FetchModels: {
            base_url?: string | null;
            key: string;
            other?: string | null;
            proxy?: string | null;
            type: number;
        };
        FreshProof: {
            /** @default  */
            code?: string;
            /** @enum {string} */
            method: "password" | "2fa";
            /** @default  */
            password?: string;
        };
        FreshStatus: {
            /** @description seconds; 0 when not fresh */
            expires_at: number;
            fresh: boolean;
            methods: ("password" | "2fa" | "passkey")[];
            /** @description sensitive changes need a recent proof on this server */
            required: boolean;
        };
        Group: {
            desc: string;
            ratio: number;
        };
        ImportCounts: {
            added: number;
            found: number;
            kind: string;
            left_out: number;
            moved: number;
            unchanged: number;
        };
        ImportFile: {
            id: string;
            /** @description bytes of its write-ahead log (FILE-wal); 0 = none */
            log_received: number;
            name: string;
            /** @description instance that has it */
            place: string;
            /** @description bytes so far */
            received: number;
            /** @description bytes when complete */
            size: number;
        };
        ImportFileStart: {
            name: string;
            /** @description bytes */
            size: number;
        };
        ImportOrder: {
            /**
             * @description of MySQL or PostgreSQL, also in the form of SQL_DSN; never stored
             * @default
             */
            address?: string;
            /**
             * @default skip
             * @enum {string}
             */
            conflicts?: "skip" | "rename";
            /**
             * @description converts amounts to the quota units here
             * @default false
             */
            converts?: boolean;
            /**
             * @description of an upload; empty = an address
             * @default
             */
            file_id?: string;
            /**
             * @description days of the log; 0 = all, null = none
             * @default null
             */
            log_days?: number | null;
            /**
             * @description of the database of the log; empty = the same
             * @default
             */
            logs_address?: string;
            /**
             * @description null = all
             * @default null
             */
            parts?: ("users" | "tokens" | "channels" | "codes" | "orders" | "options")[] | null;
            /**
             * @description sections whose options are taken; null = all, in an empty installation
             * @default null
             */
            sections?: ("content" | "display" | "channels" | "calls" | "limits" | "models" | "prices" | "quota" | "log" | "alerts" | "accounts" | "payments" | "installation")[] | null;
            /** @default false */
            takes_over_root?: boolean;
            /** @description counts and lists, and writes nothing */
            trial: boolean;
        };
        ImportReport: {
            counts: components["schemas"]["ImportCounts"][];
            /** @description beyond those that are kept */
            further_notes: number;
            /** @description 0 = a trial of a new source */
            import_id: number;
            log_lines: number | null;
            notes: {
                id: string;
                kind: string;
                sentence: string;
                table: string;
            }[];
            numbers: {
                from: string;
                kind: string;
                to: number;
            }[];
            options: {
                differences: {
                    /** @description null = a secret */
                    here: string | null;
                    key: string;
                    /** @enum {string} */
                    section: "content" | "display" | "channels" | "calls" | "limits" | "models" | "prices" | "quota" | "log" | "alerts" | "accounts" | "payments" | "installation";
                    there: string | null;
                }[];
                refused: string[];
                taken: string[];
                unknown: string[];
            };
            /** @enum {string} */
            product: "new-api" | "one-api" | "litellm";
            sums: {
                explained: {
                    amount: string;
                    why: string;
                }[];
                here: string;
                is_equal: boolean;
                name: string;
                /** @description quota units */
                source: string;
            }[];
            version: string;
            warnings: string[];
        };
        ImportRun: {
            /** @description rows of the part */
            done: number;
            /** @description end; 0 = it runs; seconds since 1970 */
            ended_at: number;
            /** @description why it failed, with what to do */
            fault: string;
            found: number;
            id: number;
            import_id: number;
            /**
             * @description trial = writes nothing
             * @enum {string}
             */
            kind: "trial" | "import" | "undo";
            /** @description what is being written; empty = it is being read */
            part: string;
            /** @description milliseconds the part has taken so far */
            part_ms: number;
            report: components["schemas"]["ImportReport"] | null;
            /** @description file, or server and database */
            source: string;
            /** @description start; seconds since 1970 */
            started_at: number;
            /**
             * @description lost = its process ended; start it again
             * @enum {string}
             */
            status: "running" | "done" | "failed" | "stopped" | "lost";
            stop_asked: boolean;
        };
        ImportState: {
            /** @description host of a run that was not started from the console; empty = none */
            busy_place: string;
            chunk_bytes: number;
            file: components["schemas"]["ImportFile"] | null;
            imports: {
                /** @description first run; seconds since 1970 */
                created_at: number;
                /** @description end of the last run; 0 = none; seconds since 1970 */
                ended_at: number;
                id: number;
                product: string;
                runs: number;
                /** @enum {string} */
                status: "running" | "done" | "failed" | "stopped" | "undone";
                version: string;
            }[];
            /** @description rows keep their numbers, and settings are taken */
            is_empty: boolean;
            max_file_bytes: number;
            /** @description the last one from the console */
            run: components["schemas"]["ImportRun"] | null;
        };
        JobProgress: {
            done: number;
            /** @description seconds, 0 while it runs */
            ended_at: number;
            failed: number;
            running: boolean;
            /** @description seconds, 0 = never */
            started_at: number;
            total: number;
        };
        LedgerMovement: {
            /** @description quota; negative = taken */
            amount: number;
            /** @description seconds */
            created_at: number;
            id: number;
            /** @description setup, grant_new, grant_invitee, topup, redeem, aff_in, adjust, correction, refund, import */
            kind: string;
            /** @description balance right after it; calls that ran at that moment are in it as far as they were charged */
            quota_after: number;
            reason: string;
        };
        LedgerPage: {
            balance: number;
            items: components["schemas"]["LedgerMovement"][];
            page: number;
            page_size: number;
            /** @description all movements by kind */
            sums: {
                [key: string]: number;
            };
            total: number;
            /** @description what calls cost */
            used_quota: number;
        };
        Limit: {
            /** @description account of the end users or tags; null = of all accounts */
            account_id: number | null;
            account_name: string;
            /** @enum {string} */
            action: "refuse" | "warn" | "cheaper_model" | "pass_over";
            /** @description calls are admitted while the use is unknown */
            admit_unknown: boolean;
            amount: number;
            /** @description an account set it for itself */
            by_user: boolean;
            /** @description seconds */
            created_at: number;
            /** @description each value of the scope has the amount for itself */
            each: boolean;
            enabled: boolean;
            /** @description model that calls go on with at the limit, with cheaper_model; else empty */
            fallback_model: string;
            id: number;
            /** @description the reader may change and delete it */
            may_change: boolean;
            /**
             * @description quota = money in quota units
             * @enum {string}
             */
            measure: "quota" | "tokens" | "input_tokens" | "output_tokens" | "requests" | "in_flight";
            /** @description name or pattern; empty = every model */
            model: string;
            /** @description callers read it */
            name: string;
            override: components["schemas"]["LimitOverride"] | null;
            /**
             * @description empty = calls at once
             * @enum {string}
             */
            period: "" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "ever";
            /** @description the period ends now, instead of starting at midnight, Monday or the 1st */
            rolling: boolean;
            /** @enum {string} */
            scope: "token" | "account" | "group" | "call_group" | "end_user" | "tag" | "channel" | "channel_tag" | "everyone";
            /** @description id, group name or value; empty with each and everyone */
            subject: string;
            /** @description no token, account, channel or channel with the tag is left: it counts nothing */
            subject_missing: boolean;
            /** @description name of the token, account or channel; else the subject */
            subject_name: string;
            /** @description seconds */
            updated_at: number;
            /** @description of the value with the largest use; null = not shown to the reader, or nothing was used */
            use: components["schemas"]["LimitUse"] | null;
            version: number;
            /** @description percents of the amount */
            warn_at: number[];
        };
        LimitCreate: {
            /** @default null */
            account_id?: number | null;
            /**
             * @default refuse
             * @enum {string}
             */
            action?: "refuse" | "warn" | "cheaper_model" | "pass_over";
            /** @default false */
            admit_unknown?: boolean;
            amount: number;
            /** @default false */
            each?: boolean;
            /** @default true */
            enabled?: boolean;
            /** @default  */
            fallback_model?: string;
            /** @enum {string} */
            measure: "quota" | "tokens" | "input_tokens" | "output_tokens" | "requests" | "in_flight";
            /** @default  */
            model?: string;
            name: string;
            /** @enum {string} */
            period: "" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "ever";
            /** @default false */
            rolling?: boolean;
            /** @enum {string} */
            scope: "token" | "account" | "group" | "call_group" | "end_user" | "tag" | "channel" | "channel_tag" | "everyone";
            /** @default  */
            subject?: string;
            /** @default [] */
            warn_at?: number[];
        };
        LimitEdit: {
            /** @enum {string} */
            action?: "refuse" | "warn" | "cheaper_model" | "pass_over";
            admit_unknown?: boolean;
            amount?: number;
            enabled?: boolean;
            fallback_model?: string;
            name?: string;
            /** @description as read; refused when another one changed the limit meanwhile */
            version?: number;
            warn_at?: number[];
        };
        LimitHistory: {
            /** @description newest first, all values together; at most 60 */
            periods: {
                calls: number;
                /** @description seconds */
                starts_at: number;
                used: number;
            }[];
            /** @description of the running period, by value, the largest first; at most 50 */
            uses: components["schemas"]["LimitUse"][];
        };
        LimitOverride: {
            amount: number;
            /** @description account that set it */
            by: number;
            reason: string;
            /** @description seconds */
            until: number;
        };
        LimitOverrideInput: {
            amount: number;
            /** @default  */
            reason?: string;
        };
        LimitPage: {
            items: components["schemas"]["Limit"][];
            page: number;
            page_size: number;
            total: number;
        };
        LimitPreview: {
            /** @description in the running period; of the value with the largest use */
            used: number;
            /** @description values with use, of a limit for each */
            values: number;
        };
        LimitReset: {
            /** @default  */
            reason?: string;
            /** @default  */
            value?: string;
        };
        LimitRights: {
            /** @description false while a worker runs an earlier version, which does not count limits */
            binding: boolean;
            /** @description scopes the reader may set limits of */
            scopes: ("token" | "account" | "group" | "call_group" | "end_user" | "tag" | "channel" | "channel_tag" | "everyone")[];
            /** @description LimitTimeZone */
            time_zone: string;
        };
        LimitUse: {
            /** @description in force: that of the override while it lasts */
            amount: number;
            /** @description set aside for running calls */
            held: number;
            /** @description seconds; when the amount is reached at this rate, null = not in this period */
            reached_at: number | null;
            /** @description seconds; null = never, or nothing to reset */
            resets_at: number | null;
            /** @description seconds; null = calls at once */
            starts_at: number | null;
            /** @description settled, in the unit of the measure */
            used: number;
            /** @description token, account, end user or tag where the limit applies to each; else empty */
            value: string;
            /** @description name of the token or account; else empty */
            value_name: string;
        };
        Login: {
            /** @default  */
            password?: string;
            /**
             * @description what the link of POST /api/user/login/unlock carries
             * @default
             */
            unlock?: string;
            /** @default  */
            username?: string;
        };
        LoginUnlock: {
            /**
             * @description name or mail address
             * @default
             */
            username?: string;
        };
        LogLine: {
            /** @description channel id; 0 for users */
            channel: number;
            /** @description filled for administrators */
            channel_name: string;
            completion_tokens: number;
            content: string;
            /** @description seconds */
            created_at: number;
            /** @description end user that a call names; empty = none */
            end_user: string;
            group: string;
            /** @description row id for administrators; for users the position within the list */
            id: number;
            is_stream: boolean;
            model_name: string;
            /** @description JSON object with the details of a call */
            other: string;
            prompt_tokens: number;
            quota: number;
            /** @description X-Request-Id of the call; what the explanation is asked by */
            request_id: string | null;
            /** @description comma-separated tags of a call */
            tags: string;
            token_id: number;
            token_name: string;
            /** @description 1 top-up, 2 consumption, 3 administration, 4 system, 5 error */
            type: number;
            /** @description whole seconds */
            use_time: number;
            user_id: number;
            username: string;
        };
        LogPage: {
            items: components["schemas"]["LogLine"][];
            page: number;
            page_size: number;
            total: number;
        };
        LogStat: {
            quota: number;
            rpm: number;
            tpm: number;
        };
        LogSuggestions: {
            /** @description for `username`; empty for users */
            accounts: string[];
            /** @description for `channel`; empty for users */
            channels: {
                id: number;
                name: string;
            }[];
            /** @description for `model_name` */
            models: string[];
            /** @description for `token_name` */
            tokens: string[];
        };
        LostBindings: {
            accounts: number;
            provider: string;
        };
        MailBinding: {
            /** @default  */
            code?: string;
            /** @default  */
            email?: string;
        };
        ModelPrice: {
            /** @description per million input tokens; null = no price by tokens */
            input: number | null;
            /** @description whether it answers chats, by its name */
            is_chat: boolean;
            /** @description false: the instance has no price of this model */
            is_priced: boolean;
            /** @description built-in list price per million input tokens of a model without a price; null = none */
            list_input: number | null;
            /** @description built-in list price per million output tokens; null = none */
            list_output: number | null;
            model: string;
            /** @description per million output tokens; null = no price by tokens */
            output: number | null;
            /** @description per call; null = no price by calls */
            per_call: number | null;
        };
        NativeForecast: {
            /** @description calls of the log that were looked at */
            calls: number;
            moves: {
                /**
                 * @description API of the callers
                 * @enum {string}
                 */
                api: "chat" | "completions" | "responses" | "messages" | "gemini";
                /** @description calls that would move there */
                calls: number;
                /** @description channel that would get them */
                channel_id: number;
                group: string;
                /** @description all calls of this API and group */
                of: number;
            }[];
        };
        OAuthStart: {
            /** @default  */
            aff?: string;
            /**
             * @default login
             * @enum {string}
             */
            intent?: "login" | "bind";
            /** @enum {string} */
            provider: "github" | "oidc" | "linuxdo" | "telegram";
        };
        OAuthStarted: {
            state: string;
            url: string;
        };
        OidcDiscovery: {
            /** @default  */
            well_known?: string;
        };
        OidcEndpoints: {
            authorization_endpoint: string;
            issuer: string;
            token_endpoint: string;
            user_info_endpoint: string;
        };
        OperationsAlert: {
            /** @description seconds; 0 = nobody has */
            acknowledged_at: number;
            acknowledged_by: string;
            id: number;
            /** @description when it became an alert; seconds */
            opened_at: number;
            /** @description seconds; null = it lasts */
            over_at: number | null;
            remedy: string;
            /** @description how often it began again within the quiet time */
            repeats: number;
            rule: string;
            sentence: string;
            /** @enum {string} */
            severity: "notice" | "warning" | "fault";
            /** @description when it began; seconds */
            since: number;
            subject: string;
            /** @description why somebody could not be told; empty = everybody was */
            tell_fault: string;
            title: string;
            /** @description seconds; 0 = nobody was told yet */
            told_at: number;
        };
        OperationsAlertPage: {
            items: components["schemas"]["OperationsAlert"][];
            page: number;
            page_size: number;
            total: number;
        };
        OperationsAlertTest: {
            fault: string;
            reached: number;
        };
        OperationsBooks: {
            /** @description when the books were looked at; seconds since 1970, 0 = never */
            at: number;
            /** @description the first differences; root alone is told */
            details: string[];
            differences: number;
            took_ms: number;
        };
        OperationsBreaker: {
            /** @description 0 = a store */
            channel_id: number;
            /** @description newest failure of the channel, in words; empty = none is known */
            failure: string;
            /** @enum {string} */
            kind: "store" | "channel";
            /** @description empty = the whole channel */
            model: string;
            name: string;
            /** @description when a call is let through again, in the past = now; seconds since 1970, 0 = never */
            retry_at: number | null;
            /** @description when it opened; seconds since 1970, 0 = never */
            since: number;
            workers: number;
        };
        OperationsFinding: {
            remedy: string;
            /** @enum {string} */
            rule: "instance-gone" | "worker-gone" | "worker-restarting" | "database-away" | "degraded-mode" | "breaker-open" | "event-loop" | "clock-skew" | "revision-differs" | "version-differs" | "spool-old" | "settlement-lag" | "writeoffs" | "overruns" | "bounded-reports" | "books-differ" | "order-mismatch" | "error-rate" | "channel-failing" | "model-out" | "channel-balance" | "mail-failing" | "job-failed";
            sentence: string;
            /** @enum {string} */
            severity: "notice" | "warning" | "fault";
            /** @description when it began; seconds since 1970, 0 = never */
            since: number;
            /** @description what it is about within the rule; empty = the installation */
            subject: string;
            /** @description in the language of the request, as the sentences below */
            title: string;
        };
        OperationsInstance: {
            /** @description when any of its workers was heard of last; seconds since 1970, 0 = never */
            heard_at: number;
            host: string;
            id: string;
            /** @enum {string} */
            state: "up" | "draining" | "gone" | "stopped";
            workers: components["schemas"]["OperationsWorker"][];
        };
        OperationsJob: {
            /** @description last end; seconds since 1970, 0 = never */
            ended_at: number;
            /** @description machine of the worker that ran it last */
            host: string;
            message: string;
            name: string;
            /** @description next run; seconds since 1970, 0 = never */
            next_at: number;
            /** @enum {string} */
            outcome: "" | "running" | "done" | "failed" | "lost";
            /** @description last start; seconds since 1970, 0 = never */
            started_at: number;
        };
        OperationsJobs: {
            /** @description boot id of the worker whose intervals these are */
            answered_by: string;
            /** @description what every worker does by itself */
            intervals: components["schemas"]["OperationsWorkerInterval"][];
            /** @description what one worker of all does */
            jobs: components["schemas"]["OperationsScheduledJob"][];
            /** @description host and port of its instance */
            place: string;
            /** @description its number there */
            worker: number;
        };
        OperationsMinute: {
            /** @description beginning of the minute; seconds since 1970, 0 = never */
            at: number;
            calls: number;
            /** @description failures that were not the caller’s */
            errors: number;
            first_token_p95_ms: number | null;
            settlement_lag_ms: number;
        };
        OperationsMode: {
            cause: string;
            meaning: string;
            mode: string;
            /** @description when it began; seconds since 1970, 0 = never */
            since: number;
            /** @description workers in this mode */
            workers: number;
        };
        OperationsPrivateHosts: {
            /** @enum {string} */
            callers: "channels" | "identity" | "services" | "users";
            /** @description hosts without a port are open at every port that is called at all */
            every_port: boolean;
            /** @description as they are written there; empty = none */
            hosts: string[];
            /** @description every private host is open besides: the gateway listens on a loopback address */
            reaches_all: boolean;
            /** @description environment variable that opens hosts to these callers */
            variable: string;
        };
        OperationsScheduledJob: {
            /** @description the worker that answers may run it before its time */
            can_run: boolean;
            description: string;
            /** @description last end; seconds since 1970, 0 = never */
            ended_at: number;
            /** @description worker that has the lease now; null = none */
            holder: {
                boot_id: string;
                /** @description host and port of its instance */
                place: string;
                /** @description number within its instance; null = not known */
                worker: number | null;
            } | null;
            /** @description host and port of the instance that ran it last */
            last_place: string;
            /** @description why it failed, or what it left undone; empty = neither */
            message: string;
            name: string;
            /** @description next run; seconds since 1970, 0 = never */
            next_at: number;
            /**
             * @description of the last run; empty = it never ran
             * @enum {string}
             */
            outcome: "" | "running" | "done" | "failed" | "lost";
            /** @description how often; null = only when somebody asks, or switched off by an option */
            period_ms: number | null;
            /** @description last start; seconds since 1970, 0 = never */
            started_at: number;
            /** @description in the language of the request, as the description */
            title: string;
        };
        OperationsStatus: {
            /** @description AdministratorDailyQuotaLimit, 0 = no limit; null for administrators below root */
            administrator_daily_quota_limit: number | null;
            /** @description boot id of the worker that answers */
            answered_by: string;
            books: components["schemas"]["OperationsBooks"] | null;
            breakers: components["schemas"]["OperationsBreaker"][];
            /** @description when this was put together; seconds since 1970, 0 = never */
            checked_at: number;
            /** @description false = history, jobs and books are missing */
            database_readable: boolean;
            findings: components["schemas"]["OperationsFinding"][];
            history: components["schemas"]["OperationsMinute"][];
            instances: components["schemas"]["OperationsInstance"][];
            jobs: components["schemas"]["OperationsJob"][];
            /** @enum {string} */
            level: "ok" | "notice" | "warning" | "fault";
            modes: components["schemas"]["OperationsMode"][];
            /** @description private hosts open to outbound calls of the worker that answers; root alone is told */
            private_hosts: components["schemas"]["OperationsPrivateHosts"][];
            revision: number;
            totals: {
                calls: number;
                holds: number;
                reservation_oldest_seconds: number | null;
                /** @description set aside in the database; null = not known */
                reserved_quota: number | null;
                settlement_lag_ms: number;
                spool_oldest_seconds: number;
                spool_records: number;
                streams: number;
                workers: number;
            };
        };
        OperationsWorker: {
            /** @description host:port; root alone is told */
            address: string | null;
            boot_id: string;
            /** @description calls under way; null = not known */
            calls: number | null;
            database: {
                /** @description its clock less the database’s; null = not known */
                clock_offset_ms: number | null;
                /** @description connections in use; null = not known */
                connections_used: number | null;
                /** @description callers that wait for one; null = not known */
                connections_waiting: number | null;
                /** @description of a small question; null = not known */
                latency_ms: number | null;
                up: boolean;
            };
            degraded: string[];
            /** @description latest turn of the event loop within ten seconds; null = not known */
            event_loop_delay_ms: number | null;
            heap_bytes: number;
            /** @description when it was heard of last; seconds since 1970, 0 = never */
            heard_at: number;
            /** @description calls that money is set aside for; null = not known */
            holds: number | null;
            pid: number;
            ready: boolean;
            resident_bytes: number;
            revision: number;
            /** @description how long after its call a charge was booked lately; null = not known */
            settlement_lag_ms: number | null;
            /** @description age of the oldest of them; null = not known */
            spool_oldest_seconds: number | null;
            /** @description charges not booked yet; null = not known */
            spool_records: number | null;
            /** @description when the process started; seconds since 1970, 0 = never */
            started_at: number;
            /** @enum {string} */
            state: "up" | "draining" | "gone" | "stopped";
            store: {
                /** @enum {string} */
                kind: "redis" | "memory";
                /** @description of a small question; null = not known */
                latency_ms: number | null;
                up: boolean;
            };
            /** @description event streams among them; null = not known */
            streams: number | null;
            version: string;
            worker: number;
        };
        OperationsWorkerInterval: {
            description: string;
            /** @description last end; seconds since 1970, 0 = never */
            ended_at: number;
            /** @description why it failed, or what it left undone; empty = neither */
            message: string;
            name: string;
            /** @description next run; seconds since 1970, 0 = never */
            next_at: number;
            /**
             * @description of the last run; empty = it never ran
             * @enum {string}
             */
            outcome: "" | "running" | "done" | "failed" | "lost";
            period_ms: number;
            /** @description last start; seconds since 1970, 0 = never */
            started_at: number;
            /** @description in the language of the request, as the description */
            title: string;
        };
        Option: {
            /** @description every word the value can hold, where there are such */
            choices?: string[];
            is_set?: boolean;
            key: string;
            /** @description by whoever asks */
            may_change: boolean;
            needs_look?: string;
            /** @description what root ticks for administrators */
            section: string;
            value: string;
        };
        OptionChange: {
            /** @description name then; empty for changes of the program and very old ones */
            actor: string;
            actor_id: number;
            /** @description false for secrets, whose values are not kept */
            can_roll_back: boolean;
            changed_at: number;
            key: string;
            new_value: string | null;
            note: string;
            old_value: string | null;
            revision: number;
            /** @description edit, reset, rollback, sync; empty for very old changes */
            source: string;
            /** @description changes saved together share it */
            version_id: number | null;
        };
        OptionField: {
            /** @description every word the value can hold, where there are such */
            choices?: string[];
            /**
             * @description part of the tab
             * @enum {string}
             */
            heading?: "general" | "switches" | "display" | "navigation" | "drawing" | "health" | "routing" | "affinity" | "quota" | "words" | "log" | "limit" | "stream" | "claude" | "gemini" | "administrators" | "address" | "login" | "emailRules" | "mail" | "oidc" | "github" | "linuxDo" | "weChat" | "telegram" | "humanCheck" | "alerts" | "payment" | "epay" | "stripe" | "brand" | "content" | "panels";
            key: string;
            /**
             * @description form of the value
             * @enum {string}
             */
            kind: "flag" | "integer" | "number" | "text" | "address" | "choice" | "lines" | "list" | "json";
            /** @description of numbers */
            max?: number;
            /** @description of numbers */
            min?: number;
            /** @description stored encrypted, never returned */
            secret: boolean;
            /** @description what root ticks for administrators */
            section: string;
            /**
             * @description screen of the console; none = no screen
             * @enum {string}
             */
            tab: "operation" | "ratelimit" | "models" | "system" | "other" | "none";
        };
        OptionInput: {
            key: string;
            value: string | number | boolean | (null);
        };
        OptionRollback: {
            /** @default  */
            note?: string;
            revision: number;
            /**
             * @default before
             * @enum {string}
             */
            to?: "before" | "after";
        };
        OptionUpdateWithNote: {
            changes: components["schemas"]["OptionInput"][];
            /** @default  */
            note?: string;
        };
        OptionVersionRollback: {
            /** @default  */
            note?: string;
            /** @description every option becomes what it was right after it */
            version_id: number;
        };
        OwnLimit: {
            /** @description account of the end users or tags; null = of all accounts */
            account_id: number | null;
            account_name: string;
            /** @enum {string} */
            action: "refuse" | "warn" | "cheaper_model" | "pass_over";
            /** @description calls are admitted while the use is unknown */
            admit_unknown: boolean;
            amount: number;
            /** @description an account set it for itself */
            by_user: boolean;
            /** @description seconds */
            created_at: number;
            /** @description each value of the scope has the amount for itself */
            each: boolean;
            enabled: boolean;
            /** @description model that calls go on with at the limit, with cheaper_model; else empty */
            fallback_model: string;
            id: number;
            /** @description the reader may change and delete it */
            may_change: boolean;
            /**
             * @description quota = money in quota units
             * @enum {string}
             */
            measure: "quota" | "tokens" | "input_tokens" | "output_tokens" | "requests" | "in_flight";
            /** @description name or pattern; empty = every model */
            model: string;
            /** @description callers read it */
            name: string;
            override: components["schemas"]["LimitOverride"] | null;
            /**
             * @description empty = calls at once
             * @enum {string}
             */
            period: "" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "ever";
            /** @description the period ends now, instead of starting at midnight, Monday or the 1st */
            rolling: boolean;
            /** @enum {string} */
            scope: "token" | "account" | "group" | "call_group" | "end_user" | "tag" | "channel" | "channel_tag" | "everyone";
            /** @description id, group name or value; empty with each and everyone */
            subject: string;
            /** @description no token, account, channel or channel with the tag is left: it counts nothing */
            subject_missing: boolean;
            /** @description name of the token, account or channel; else the subject */
            subject_name: string;
            /** @description seconds */
            updated_at: number;
            /** @description of the value with the largest use; null = not shown to the reader, or nothing was used */
            use: components["schemas"]["LimitUse"] | null;
            /** @description of the reader, by value, the largest first; empty for limits over several accounts */
            uses: components["schemas"]["LimitUse"][];
            version: number;
            /** @description percents of the amount */
            warn_at: number[];
        };
        Passkey: {
            created_at: number;
            id: number;
            /** @description seconds; 0 = never */
            last_used_at: number;
            name: string;
            /** @description copied between devices by its maker */
            synced: boolean;
        };
        PasskeyAssertion: {
            credential: {
                /** @enum {string|null} */
                authenticatorAttachment?: "platform" | "cross-platform" | null;
                /** @default {} */
                clientExtensionResults?: {
                    [key: string]: unknown;
                };
                id: string;
                rawId: string;
                response: {
                    authenticatorData: string;
                    clientDataJSON: string;
                    signature: string;
                    userHandle?: string | null;
                };
                /** @enum {string} */
                type: "public-key";
            };
        };
        /**
         * @default {
         *       "password": "",
         *       "code": ""
         *     }
         */
        PasskeyBegin: {
            /** @default  */
            code?: string;
            /** @default  */
            password?: string;
        };
        PasskeyCreation: {
            options: {
                /** @enum {string} */
                attestation?: "direct" | "enterprise" | "indirect" | "none";
                authenticatorSelection?: {
                    /** @enum {string} */
                    authenticatorAttachment?: "platform" | "cross-platform";
                    requireResidentKey?: boolean;
                    /** @enum {string} */
                    residentKey?: "discouraged" | "preferred" | "required";
                    /** @enum {string} */
                    userVerification?: "discouraged" | "preferred" | "required";
                };
                challenge: string;
                excludeCredentials?: {
                    id: string;
                    transports?: string[];
                    /** @enum {string} */
                    type: "public-key";
                }[];
                extensions: {
                    credProps: boolean;
                };
                hints: ("client-device" | "hybrid" | "security-key")[];
                pubKeyCredParams: {
                    alg: number;
                    /** @enum {string} */
                    type: "public-key";
                }[];
                rp: {
                    id?: string;
                    name: string;
                };
                /** @description milliseconds */
                timeout?: number;
                user: {
                    displayName: string;
                    id: string;
                    name: string;
                };
            };
        };
        PasskeyList: {
            /** @description passkeys can be added at this address */
            available: boolean;
            /** @description the account has a passkey */
            enabled: boolean;
            items: components["schemas"]["Passkey"][];
        };
        PasskeyRegistration: {
            credential: {
                /** @enum {string|null} */
                authenticatorAttachment?: "platform" | "cross-platform" | null;
                /** @default {} */
                clientExtensionResults?: {
                    [key: string]: unknown;
                };
                id: string;
                rawId: string;
                response: {
                    attestationObject: string;
                    clientDataJSON: string;
                    transports?: string[];
                };
                /** @enum {string} */
                type: "public-key";
            };
            /** @default  */
            name?: string;
        };
        PasskeyRename: {
            name: string;
        };
        PasskeyRequest: {
            options: {
                allowCredentials?: {
                    id: string;
                    transports?: string[];
                    /** @enum {string} */
                    type: "public-key";
                }[];
                challenge: string;
                rpId?: string;
                /** @description milliseconds */
                timeout?: number;
                /** @enum {string} */
                userVerification?: "discouraged" | "preferred" | "required";
            };
        };
        PasswordReset: {
            /** @default  */
            email?: string;
            /** @default  */
            token?: string;
        };
        PastedTokenKey: {
            key: string;
        };
        PriceEntry: {
            /** @description factor agreed for accounts of the caller's group and this model; it replaces that of every group. null = none */
            account_group_ratio: number | null;
            audio_completion_ratio: number;
            audio_ratio: number;
            cache_ratio: number;
            completion_ratio: number;
            create_cache_ratio: number;
            /** @description groups the caller may use it in */
            enable_groups: string[];
            image_completion_ratio: number;
            image_ratio: number;
            /** @description nobody set a price: the ratio is the fallback */
            is_price_unset: boolean;
            long_context: {
                /** @description for calls with more input tokens than this */
                above: number;
                /** @description factor of the usual price */
                input: number;
                output: number;
            }[];
            model_name: string;
            /** @description dollars per call; 0 when priced by use */
            model_price: number;
            model_ratio: number;
            owner_by: string;
            /** @description sizes and qualities that multiply the price of a picture; others cost the price itself */
            picture_factors: {
                name: string;
                ratio: number;
            }[];
            /** @description 0 priced by use, 1 a price per call */
            quota_type: number;
            /** @description output the model only thought; as completion_ratio when it has no price */
            reasoning_ratio: number;
            /** @description classes of service with a factor of their own on what tokens cost */
            service_tiers: {
                [key: string]: number;
            };
            supported_endpoint_types: string[];
            /** @description tools the vendor runs: dollars per thousand uses */
            tool_prices: {
                [key: string]: number;
            };
            /** @description who made it; empty when its name does not say */
            vendor: string;
        };
        PriceLookupRequest: {
            models: string[];
        };
        PricePreview: {
            /** @description quota they would cost by the new prices */
            after: number;
            /** @description quota they would cost by today's prices */
            before: number;
            calls: number;
            /** @description quota the calls were priced at when they were made */
            charged: number;
            days: number;
            /** @description false: more calls than are looked at; the newest were */
            is_complete: boolean;
            models: {
                /** @description quota they would cost by the new prices */
                after: number;
                /** @description quota they would cost by today's prices */
                before: number;
                calls: number;
                /** @description quota the calls were priced at when they were made */
                charged: number;
                group: string;
                model: string;
            }[];
            not_repriced: {
                /** @description calls of models without a price, today and then; counted as if nothing changed */
                no_price: number;
                /** @description pictures priced by tokens then and by the picture now: their size was not kept; counted as if nothing changed */
                unknown_size: number;
                unreadable: number;
            };
            /** @description calls of models that have a price today and none by the new prices: they would be refused, and count as 0 in `after` */
            refused: {
                calls: number;
                models: {
                    /** @description quota they would cost by today's prices */
                    before: number;
                    calls: number;
                    model: string;
                }[];
            };
            /** @description calls that cost something else by the new prices than by those of today */
            repriced_calls: number;
            users: {
                /** @description quota they would cost by the new prices */
                after: number;
                /** @description quota they would cost by today's prices */
                before: number;
                calls: number;
                /** @description quota the calls were priced at when they were made */
                charged: number;
                user_id: number;
                username: string;
            }[];
            /** @description part of `charged` the balances did not cover */
            written_off: number;
        };
        PricePreviewRequest: {
            /** @default [] */
            changes?: {
                key: string;
                value: string | number | boolean;
            }[];
            /** @default 7 */
            days?: number;
            /** @default false */
            reset?: boolean;
            /**
             * @default after
             * @enum {string}
             */
            to?: "before" | "after";
            version_id?: number;
        };
        PriceRollback: {
            /** @default  */
            note?: string;
            /**
             * @default after
             * @enum {string}
             */
            to?: "before" | "after";
        };
        PriceSync: {
            counts: {
                added: number;
                changed: number;
                same: number;
                unsupported: number;
            };
            /** @enum {string} */
            format: "models.dev" | "litellm";
            items: {
                entries: {
                    /** @description null = no entry */
                    current: unknown;
                    /** @enum {string} */
                    key: "ModelRatio" | "CompletionRatio" | "CacheRatio" | "CreateCacheRatio" | "CreateCache1hRatio" | "ImageRatio" | "ImageCompletionRatio" | "ReasoningRatio" | "AudioRatio" | "AudioCompletionRatio" | "ModelPrice" | "LongContextRatio" | "ServiceTierRatio";
                    /** @description null = the entry goes */
                    listed: unknown;
                }[];
                model: string;
                provider: string;
                /** @description why it is unsupported */
                reason: string;
                /** @enum {string} */
                state: "added" | "changed" | "same" | "unsupported";
            }[];
            /** @description services the list names */
            providers: string[];
        };
        PriceSyncApply: {
            items: {
                entries: {
                    /** @enum {string} */
                    key: "ModelRatio" | "CompletionRatio" | "CacheRatio" | "CreateCacheRatio" | "CreateCache1hRatio" | "ImageRatio" | "ImageCompletionRatio" | "ReasoningRatio" | "AudioRatio" | "AudioCompletionRatio" | "ModelPrice" | "LongContextRatio" | "ServiceTierRatio";
                    listed: unknown;
                }[];
                model: string;
            }[];
            /** @default  */
            note?: string;
        };
        PriceSyncRequest: {
            /** @default  */
            document?: string;
            /** @default [] */
            providers?: string[];
            /** @default  */
            url?: string;
        };
        PriceVersion: {
            actor: string;
            actor_id: number;
            /** @description seconds */
            created_at: number;
            id: number;
            /** @description options that changed */
            keys: string[];
            note: string;
            /** @description edit, reset, rollback, sync */
            source: string;
        };
        PriceVersionDetail: {
            actor: string;
            actor_id: number;
            changes: {
                entries: {
                    /** @description model, group or tool; empty where the option is a single value */
                    name: string;
                    /** @description null = is not there any more */
                    new_value: string | null;
                    /** @description null = was not there */
                    old_value: string | null;
                }[];
                key: string;
                new_value: string | null;
                /** @description whole text; null = was not stored */
                old_value: string | null;
            }[];
            /** @description seconds */
            created_at: number;
            id: number;
            /** @description options that changed */
            keys: string[];
            note: string;
            /** @description edit, reset, rollback, sync */
            source: string;
        };
        RatioConfig: {
            cache_ratio: {
                [key: string]: number;
            };
            completion_ratio: {
                [key: string]: number;
            };
            create_cache_ratio: {
                [key: string]: number;
            };
            model_price: {
                [key: string]: number;
            };
            model_ratio: {
                [key: string]: number;
            };
        };
        RecoveryCodes: {
            /** @description shown this once; each works once */
            backup_codes: string[];
        };
        RecoveryCodesInput: {
            /** @default  */
            code?: string;
        };
        Redeem: {
            /** @default  */
            key?: string;
        };
        Redemption: {
            /** @description always 0; only means something when codes are made */
            count: number;
            /** @description seconds */
            created_time: number;
            /** @description always null */
            DeletedAt: string | null;
            /** @description seconds; 0 = never */
            expired_time: number;
            id: number;
            /** @description the code itself, 32 hexadecimal digits */
            key: string;
            name: string;
            quota: number;
            /** @description seconds; 0 = not redeemed */
            redeemed_time: number;
            /** @description 1 unused, 2 disabled, 3 used */
            status: number;
            /** @description 0 = nobody */
            used_user_id: number;
            /** @description who made it */
            user_id: number;
        };
        RedemptionCreate: {
            /**
             * @description 1 to 100
             * @default 1
             */
            count?: number;
            /**
             * @description seconds; 0 = never
             * @default 0
             */
            expired_time?: number;
            /** @default  */
            name?: string;
            /** @default 0 */
            quota?: number;
        };
        RedemptionCreatorSum: {
            created: number;
            created_quota: number;
            used: number;
            /** @description codes redeemed by their own maker */
            used_by_creator: number;
            used_quota: number;
            user_id: number;
            username: string;
        };
        RedemptionEdit: {
            expired_time?: number;
            id: number;
            name?: string;
            quota?: number;
            status?: number;
        };
        RedemptionPage: {
            items: components["schemas"]["Redemption"][];
            page: number;
            page_size: number;
            total: number;
        };
        ReferenceUse: {
            /** @description since when charges are summed this way, seconds; null = none was yet */
            counted_since: number | null;
            rows: {
                count: number;
                /** @description start of the quarter, hour or day, seconds */
                created_at: number;
                name: string;
                quota: number;
                /** @description id of the token or channel; 0 = all others together */
                reference: number;
                token_used: number;
                /** @description owner of the token; empty for channels */
                username: string;
            }[];
        };
        RefundOrder: {
            /** @default  */
            reason?: string;
            trade_no: string;
        };
        Registration: {
            /** @default  */
            aff_code?: string;
            /** @default  */
            email?: string;
            /** @default  */
            password?: string;
            /** @default  */
            password2?: string;
            /** @default  */
            username?: string;
            /** @default  */
            verification_code?: string;
        };
        ResetMethods: {
            identities: ("github" | "oidc" | "linuxdo" | "wechat" | "telegram")[];
            /** @description false with an authenticator app: they are taken off after signing in */
            may_release: boolean;
            /** @description names */
            passkeys: string[];
        };
        SecondStep: {
            /** @enum {boolean} */
            require_2fa: true;
            /** @description may go with the code; the cookie set with this answer has to */
            ticket: string;
        };
        SecondStepInput: {
            /**
             * @description six digits of the authenticator app, or a recovery code
             * @default
             */
            code?: string;
            ticket?: string;
        };
        SelfDelete: {
            username?: string;
        };
        SelfEdit: {
            display_name?: string;
            original_password?: string;
            password?: string;
            username?: string;
        };
        Session: {
            created_at: number;
            current: boolean;
            id: string;
            ip: string;
            last_seen_at: number;
            user_agent: string;
            /** @description password, two-factor, passkey or an outside provider; empty = not known */
            way: string;
        };
        SessionsEnded: {
            ended: number;
        };
        Setup: {
            /** @default  */
            confirmPassword?: string;
            /** @default false */
            DemoSiteEnabled?: boolean;
            /** @default  */
            password?: string;
            /** @default false */
            SelfUseModeEnabled?: boolean;
            /** @default  */
            setup_token?: string;
            /** @default  */
            username?: string;
        };
        SetupStatus: {
            /** @enum {string} */
            database_type: "" | "sqlite" | "mysql" | "postgres";
            root_init: boolean;
            status: boolean;
            token_required: boolean;
        };
        SignInAnswer: components["schemas"]["User"] | components["schemas"]["SecondStep"];
        Status: {
            announcements: {
                content: string;
                extra: string;
                id?: number;
                publishDate: string;
                /** @enum {string} */
                type: "default" | "ongoing" | "success" | "warning" | "error";
            }[];
            announcements_enabled: boolean;
            api_info: {
                color: string;
                description: string;
                id?: number;
                route: string;
                url: string;
            }[];
            api_info_enabled: boolean;
            /** @description address of the first chat; empty = none. For older clients: read `chats` */
            chat_link: string;
            /** @description address of the second chat; empty = none */
            chat_link2: string;
            chats: {
                [key: string]: string;
            }[];
            /** @enum {string} */
            data_export_default_time: "hour" | "day" | "week";
            /** @description minutes after which a dashboard reads its figures again */
            data_export_interval: number;
            default_collapse_sidebar: boolean;
            demo_site_enabled: boolean;
            display_in_currency: boolean;
            docs_link: string;
            email_verification: boolean;
            enable_batch_update: boolean;
            enable_data_export: boolean;
            enable_drawing: boolean;
            enable_online_topup: boolean;
            enable_task: boolean;
            faq: {
                answer: string;
                id?: number;
                question: string;
            }[];
            faq_enabled: boolean;
            footer_html: string;
            github_client_id: string;
            github_oauth: boolean;
            /** @description JSON: links of the top bar that are shown */
            HeaderNavModules: string;
            linuxdo_client_id: string;
            linuxdo_oauth: boolean;
            logo: string;
            min_topup: number;
            mj_notify_enabled: boolean;
            oidc_authorization_endpoint: string;
            oidc_client_id: string;
            oidc_enabled: boolean;
            passkey_login: boolean;
            password_login_enabled: boolean;
            price: number;
            privacy_policy_enabled: boolean;
            quota_per_unit: number;
            register_enabled: boolean;
            self_use_mode_enabled: boolean;
            server_address: string;
            setup: boolean;
            /** @description JSON: sections and pages of the sidebar that are shown */
            SidebarModulesAdmin: string;
            start_time: number;
            system_name: string;
            telegram_bot_name: string;
            telegram_oauth: boolean;
            top_up_link: string;
            turnstile_check: boolean;
            turnstile_site_key: string;
            /** @description whether /api/uptime/status has something to tell */
            uptime_kuma_enabled: boolean;
            user_agreement_enabled: boolean;
            version: string;
            wechat_login: boolean;
            wechat_qrcode: string;
        };
        TagUse: {
            /** @description since when charges are summed this way, seconds; null = none was yet */
            counted_since: number | null;
            rows: {
                count: number;
                /** @description start of the day in UTC, seconds */
                created_at: number;
                quota: number;
                token_used: number;
                /** @description account of the tag or end user; 0 = all others together */
                user_id: number;
                /** @description name of the account; empty for all others together */
                username: string;
                /** @description tag or end user; empty = all others together */
                value: string;
            }[];
        };
        Task: {
            action: string;
            /** @description 0 for ordinary users */
            channel_id: number;
            /** @description seconds */
            created_at: number;
            /** @description the upstream's record; null = none */
            data: unknown;
            fail_reason: string;
            /** @description seconds; 0 = not finished */
            finish_time: number;
            id: number;
            platform: string;
            /** @description text such as 30% */
            progress: string;
            /** @description {input} */
            properties: unknown;
            /** @description what was charged */
            quota: number;
            /** @description seconds; 0 = not begun */
            start_time: number;
            status: string;
            /** @description seconds */
            submit_time: number;
            task_id: string;
            /** @description seconds */
            updated_at: number;
            user_id: number;
        };
        TelegramBind: {
            auth_date: number | string;
            first_name?: string;
            hash: string;
            id: number | string;
            lang?: string;
            last_name?: string;
            photo_url?: string;
            /** @default  */
            state?: string;
            username?: string;
        };
        TestMail: {
            /** @default  */
            to?: string;
        };
        Token: {
            /** @description seconds */
            accessed_time: number;
            /** @description one address or CIDR range per line; empty = everybody */
            allow_ips: string;
            /** @description seconds */
            created_time: number;
            /** @description always null */
            DeletedAt: string | null;
            /** @description seconds, -1 = never */
            expired_time: number;
            /** @description empty = the owner's group */
            group: string;
            id: number;
            /** @description 48 characters, without the sk- prefix; only ever sent to the owner */
            key: string;
            /** @description set while an administrator has disabled the token: it can only be deleted */
            lock: {
                /** @description seconds */
                at: number;
                reason: string;
            } | null;
            /** @description comma-separated model names */
            model_limits: string;
            model_limits_enabled: boolean;
            name: string;
            /** @description calls that name no end user are refused */
            needs_end_user: boolean;
            /** @description what of used_quota was given back */
            refunded_quota: number;
            /** @description what the token may still spend; without meaning when unlimited */
            remain_quota: number;
            /** @description 1 enabled, 2 disabled, 3 expired, 4 exhausted */
            status: number;
            /** @description comma-separated tags that every call of the token has */
            tags: string;
            unlimited_quota: boolean;
            /** @description sum of all charges, refunded ones included */
            used_quota: number;
            user_id: number;
        };
        TokenActivity: {
            /** @description the last charged call; null = none yet */
            last_call: {
                /** @description seconds */
                at: number;
                model: string;
                request_id: string;
            } | null;
            last_refusal: {
                /** @description seconds */
                at: number;
                kind: string;
                /** @description as the caller read it */
                message: string;
            } | null;
        };
        TokenEdit: {
            allow_ips?: string | null;
            expired_time?: number;
            group?: string;
            id: number;
            model_limits?: string | string[];
            model_limits_enabled?: boolean;
            name?: string;
            needs_end_user?: boolean;
            remain_quota?: number;
            /** @description The remain_quota the form was opened with. When sent, the difference is applied, so that calls charged meanwhile are not undone. */
            remain_quota_before?: number;
            status?: number;
            tags?: string | string[];
            unlimited_quota?: boolean;
        };
        TokenIds: {
            ids: number[];
        };
        TokenInput: {
            /** @default  */
            allow_ips?: string | null;
            /** @default -1 */
            expired_time?: number;
            /** @default  */
            group?: string;
            /** @default  */
            model_limits?: string | string[];
            /** @default false */
            model_limits_enabled?: boolean;
            name: string;
            /** @default false */
            needs_end_user?: boolean;
            /** @default 0 */
            remain_quota?: number;
            /** @default  */
            tags?: string | string[];
            /** @default false */
            unlimited_quota?: boolean;
        };
        TokenKey: {
            key: string;
        };
        TokenLock: {
            reason: string;
        };
        TokenUsage: {
            /** @description seconds; 0 = never */
            expires_at: number;
            model_limits: {
                [key: string]: true;
            };
            model_limits_enabled: boolean;
            name: string;
            /** @enum {string} */
            object: "token_usage";
            total_available: number;
            /** @description used and available together */
            total_granted: number;
            total_used: number;
            unlimited_quota: boolean;
        };
        TopUpAdminOrder: {
            /** @description whole units */
            amount: number;
            /** @description seconds; 0 = not paid */
            complete_time: number;
            /** @description administrator who completed it by hand; 0 = nobody */
            completed_by: number;
            /** @description seconds */
            create_time: number;
            currency: string;
            id: number;
            /** @description for consoles that count with it; `money_text` is exact */
            money: number;
            /** @description exact decimal */
            money_text: string;
            payment_method: string;
            provider: string;
            /** @description the payment service's number; empty = not paid by it */
            provider_trade_no: string;
            /** @description what is credited */
            quota: number;
            /** @description pending, success, expired, failed, mismatch; refunded, disputed: paid, and reversed at the payment service */
            status: string;
            trade_no: string;
            user_id: number;
            /** @description empty = the account is deregistered */
            username: string;
        };
        TopUpAdminOrderDetail: {
            /** @description whole units */
            amount: number;
            /** @description seconds; 0 = not paid */
            complete_time: number;
            /** @description administrator who completed it by hand; 0 = nobody */
            completed_by: number;
            /** @description seconds */
            create_time: number;
            currency: string;
            events: {
                actor_id: number;
                /** @description seconds */
                created_at: number;
                detail: string;
                /** @description created, paid, paid-again, mismatch, foreign, ownerless, account-full, unconfirmed, expired, failed, refunded, disputed, dispute-closed, completed-by-hand, refunded-by-hand */
                kind: string;
            }[];
            id: number;
            /** @description for consoles that count with it; `money_text` is exact */
            money: number;
            /** @description exact decimal */
            money_text: string;
            payment_method: string;
            provider: string;
            /** @description the payment service's number; empty = not paid by it */
            provider_trade_no: string;
            /** @description what is credited */
            quota: number;
            /** @description pending, success, expired, failed, mismatch; refunded, disputed: paid, and reversed at the payment service */
            status: string;
            trade_no: string;
            user_id: number;
            /** @description empty = the account is deregistered */
            username: string;
        };
        TopUpAdminOrderPage: {
            items: components["schemas"]["TopUpAdminOrder"][];
            page: number;
            page_size: number;
            total: number;
        };
        TopUpAmount: {
            /**
             * @description units, or quota while quota is not shown as dollars
             * @default 0
             */
            amount?: number;
            /**
             * @description zfb, wx, alipay, wxpay, stripe, …
             * @default
             */
            payment_method?: string;
        };
        TopUpInfo: {
            /** @enum {string} */
            amount_counts: "unit" | "quota";
            /** @description preset amounts, units */
            amount_options: number[];
            /** @description discount factor per amount */
            discount: {
                [key: string]: number;
            };
            enable_epay_topup: boolean;
            /** @description some way to pay is on */
            enable_online_topup: boolean;
            enable_stripe_topup: boolean;
            /** @description price factor of the caller's group */
            group_ratio: number;
            max_pending_orders: number;
            /** @description units */
            max_topup: number;
            /** @description units */
            min_topup: number;
            pay_methods: {
                /** @description lower-case code; empty = the payment service's own */
                currency: string;
                /** @description units */
                min_topup: number;
                name: string;
                /** @description money per unit, before group factor and discount */
                price: number;
                /** @description epay, stripe */
                provider: string;
                /** @description what payment_method names it by */
                type: string;
            }[];
            pending_orders: number;
            top_up_link: string;
        };
        TopUpOrder: {
            /** @description whole units */
            amount: number;
            /** @description seconds; 0 = not paid */
            complete_time: number;
            /** @description seconds */
            create_time: number;
            currency: string;
            id: number;
            /** @description for consoles that count with it; `money_text` is exact */
            money: number;
            /** @description exact decimal */
            money_text: string;
            payment_method: string;
            provider: string;
            /** @description what is credited */
            quota: number;
            /** @description pending, success, expired, failed, mismatch; refunded, disputed: paid, and reversed at the payment service */
            status: string;
            trade_no: string;
            user_id: number;
        };
        TopUpOrderPage: {
            items: components["schemas"]["TopUpOrder"][];
            page: number;
            page_size: number;
            total: number;
        };
        TwoFactorChange: {
            /** @default  */
            code?: string;
            /** @default  */
            password?: string;
        };
        TwoFactorSetup: {
            /** @description otpauth address to show as a QR code */
            qr_code_data: string;
            /** @description base32, for typing in */
            secret: string;
        };
        TwoFactorStatus: {
            backup_codes_remaining: number;
            enabled: boolean;
            /** @description false: changes need a recent login instead of the password */
            has_password: boolean;
            /** @description too many wrong codes; codes are refused for a while */
            locked: boolean;
        };
        UptimeGroup: {
            categoryName: string;
            description: string;
            monitors: {
                group: string;
                name: string;
                /** @description 0 down, 1 up, 2 pending, 3 maintenance */
                status: number;
                /** @description share of the last 24 hours */
                uptime: number;
            }[];
            /** @description false: the page could not be read */
            reachable: boolean;
        };
        Use: {
            count: number;
            /** @description start of the quarter, hour or day, seconds */
            created_at: number;
            /** @description position in the answer */
            id: number;
            model_name: string;
            quota: number;
            token_used: number;
            user_id: number;
            username: string;
        };
        User: {
            aff_code: string;
            aff_count: number;
            aff_history_quota: number;
            aff_quota: number;
            created_at: number;
            DeletedAt: string | null;
            display_name: string;
            email: string;
            github_id: string;
            group: string;
            id: number;
            inviter_id: number;
            last_login_at: number;
            linux_do_id: string;
            oidc_id: string;
            /** @enum {string} */
            original_password: "";
            /** @enum {string} */
            password: "";
            quota: number;
            /** @description what of used_quota was given back */
            refunded_quota: number;
            request_count: number;
            role: number;
            setting: string;
            status: number;
            telegram_id: string;
            /** @description sum of all charges, refunded ones included */
            used_quota: number;
            username: string;
            /** @enum {string} */
            verification_code: "";
            wechat_id: string;
        };
        UserCreate: {
            /** @default  */
            display_name?: string;
            /** @default  */
            password?: string;
            /** @default 0 */
            role?: number;
            /** @default  */
            username?: string;
        };
        UserEdit: {
            display_name?: string;
            group?: string;
            id: number;
            loaded_quota?: number;
            original_password?: string;
            password?: string;
            quota?: number;
            reason?: string;
            role?: number;
            username?: string;
        };
        UserFactors: {
            enabled: boolean;
            passkeys: number;
        };
        UserManage: {
            /** @enum {string} */
            action: "promote" | "demote" | "disable" | "enable" | "delete" | "add_quota";
            id: number;
            /** @enum {string} */
            mode?: "add" | "subtract" | "override";
            operation_id?: string;
            reason?: string;
            value?: number;
        };
        UserManageResult: {
            role: number;
            status: number;
        };
        UserPage: {
            items: components["schemas"]["User"][];
            page: number;
            page_size: number;
            total: number;
        };
        UserSetting: {
            accept_unset_model_ratio_model?: boolean;
            clear_webhook_secret?: boolean;
            /** @enum {string} */
            language?: "zh" | "en";
            notification_email?: string;
            notification_email_code?: string;
            notify_type?: string;
            quota_warning_threshold?: number;
            time_zone?: string;
            webhook_secret?: string;
            webhook_url?: string;
        };
        UserSignIns: {
            /** @description a system access token works */
            has_access_token: boolean;
            has_password: boolean;
            /** @description outside providers that are bound */
            providers: string[];
            sessions: components["schemas"]["Session"][];
            /** @description the newest 20 attempts, as far as the audit log goes back */
            sign_ins: {
                /** @description seconds */
                created_at: number;
                ip: string;
                success: boolean;
                /** @description as in Session; empty = not known */
                way: string;
            }[];
        };
        Warning: {
            /** @description calls refused within 7 days */
            calls: number;
            /** @enum {string} */
            kind: "unpriced-model";
            model: string;
        } | {
            /** @description within 24 hours */
            attempts: number;
            channel_id: number;
            channel_name: string;
            failures: number;
            /** @enum {string} */
            kind: "failing-channel";
        } | {
            /** @description seconds; within 7 days */
            expires_at: number;
            /** @enum {string} */
            kind: "expiring-token";
            token_id: number;
            token_name: string;
        } | {
            /** @description quota */
            balance: number;
            /** @enum {string} */
            kind: "low-balance";
            /** @description quota spent within 24 hours: as much again empties the balance */
            spent: number;
        } | {
            /** @enum {string} */
            kind: "near-limit";
            limit_id: number;
            limit_name: string;
            /** @description of the amount, used or set aside; at least 80 */
            percent: number;
            /** @description seconds; null = never */
            resets_at: number | null;
        } | {
            /** @enum {string} */
            kind: "price-below-list";
            list_price: number;
            model: string;
            /** @enum {string} */
            part: "input" | "output" | "call";
            /** @description US dollars per million tokens, or per call */
            price: number;
        };
        WeChatBind: {
            /** @default  */
            code?: string;
        };
        WeeklyEmail: {
            /** @description where it goes; empty = the account has no mail address */
            address: string;
            /** @description false while WeeklyEmailEnabled is off, or no mail server or public address is set */
            available: boolean;
            enabled: boolean;
            /** @description seconds; null = switched off */
            next_at: number | null;
        };
        WeeklyEmailChange: {
            enabled: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    Status_about: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Audit_list: {
        parameters: {
            query?: {
                /** @description whole action, or its beginning with * at the end: user.* */
                action?: string;
                /** @description 0 = everybody */
                actor_id?: number;
                end_timestamp?: number;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                start_timestamp?: number;
                target_id?: string;
                target_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Audit_chain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditChain"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelBin_list: {
        parameters: {
            query?: {
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BinPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelBin_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelBin_wipe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    CodeBin_list: {
        parameters: {
            query?: {
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BinPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    CodeBin_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    CodeBin_wipe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TokenBin_list: {
        parameters: {
            query?: {
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BinPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TokenBin_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TokenBin_wipe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountBin_list: {
        parameters: {
            query?: {
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BinPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountBin_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_list: {
        parameters: {
            query?: {
                id_sort?: boolean;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                tag_mode?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedChannels"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_removeMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_prioritise: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelBatchPriority"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_switchChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelBatchStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_tagChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelBatchTag"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_copy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCopy"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedChannels"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_removeDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        ids: number[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_fetchModelsOf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchModels"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_fetchModels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_repair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelHealth_last24Hours: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelHealth"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelHealth_ofChannel: {
        parameters: {
            query?: {
                /** @description seconds, inclusive; now when absent or 0 */
                end_timestamp?: number;
                /** @description seconds, inclusive; 24 hours before the end when absent */
                start_timestamp?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelStatistics"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_progress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "test" | "balance";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JobProgress"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelLatency_read: {
        parameters: {
            query?: {
                /** @description seconds, inclusive; now when absent or 0 */
                end_timestamp?: number;
                /** @description seconds, inclusive; 24 hours before the end when absent */
                start_timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelLatency"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ModelLists_catalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CatalogueModel"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ModelLists_enabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelKeys_manage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelKeyAction"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelKeyList"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    NativeForecast_forecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NativeForecast"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTypes_listPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelPreset"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Channels_search: {
        parameters: {
            query?: {
                group?: string;
                id_sort?: boolean;
                keyword?: string;
                model?: string;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                size?: number;
                tag_mode?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Channel"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_edit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelTagEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_disable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelTag"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelTags_enable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelTag"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_testAll: {
        parameters: {
            query?: {
                confirm_cost?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_testOne: {
        parameters: {
            query?: {
                confirm_cost?: boolean;
                endpoint_type?: string;
                model?: string;
                stream?: boolean;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description beginning of what the model said */
                        answer: string;
                        /** @description how it was asked: chat, responses, embeddings, … */
                        endpoint: string;
                        /** @description kind of failure; empty = none */
                        error_code: string;
                        first_token_ms: number | null;
                        message: string;
                        model: string;
                        success: boolean;
                        /** @description seconds, also of a failed test */
                        time: number;
                    };
                };
            };
        };
    };
    ChannelTypes_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelType"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_refreshBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ChannelProbes_refreshBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_all: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Use"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_attempts: {
        parameters: {
            query?: {
                /** @description model (the default) or channel */
                by?: "" | "model" | "channel";
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AttemptUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_byChannel: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_own: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Use"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TagUse_own: {
        parameters: {
            query?: {
                /** @description tag (the default) or end_user */
                by?: "" | "tag" | "end_user";
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TagUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_ownByToken: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TagUse_all: {
        parameters: {
            query?: {
                /** @description tag (the default) or end_user */
                by?: "" | "tag" | "end_user";
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TagUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_byToken: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceUse"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_byUser: {
        parameters: {
            query?: {
                /** @description seconds; now when absent or 0 */
                end_timestamp?: number;
                /** @description what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day */
                grain?: "" | "quarter" | "hour" | "day";
                /** @description seconds; a day before the end when absent */
                start_timestamp?: number;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Use"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Dashboard_warnings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Warning"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Groups_names: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_homePageContent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportState"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_beginFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportFileStart"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportFile"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_removeFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_appendFile: {
        parameters: {
            query: {
                /** @description bytes that were sent before */
                offset: number;
                part?: "database" | "log";
            };
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportFile"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportOrder"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Import_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_list: {
        parameters: {
            query?: {
                account_id?: number;
                keyword?: string;
                /** @description only limits used to the first percent they warn at; to 80 % where they warn at none */
                near?: boolean;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                scope?: string;
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LimitPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Limit"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LimitHistory"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_override: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitOverrideInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_endOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_reset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitReset"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Limits_preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LimitPreview"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OwnLimits_rights: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LimitRights"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OwnLimits_list: {
        parameters: {
            query?: {
                /** @description 0 = limits of the account and of all its tokens */
                token_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnLimit"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Logs_list: {
        parameters: {
            query?: {
                channel?: number;
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                /** @description 1 = only calls of which an attempt at a channel failed, answered or not; lines since version 0.2.0 */
                failed_attempt?: number;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description quota or use_time, largest first, among the newest 200000 lines that match; newest first when absent */
                sort?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description whole tag of a call */
                tag?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
                /** @description lines of one account under every name it had; 0 = all */
                user_id?: number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Logs_deleteBefore: {
        parameters: {
            query: {
                target_timestamp: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Explanations_explain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChargeExplanation"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogExport_all: {
        parameters: {
            query?: {
                channel?: number;
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                /** @description 1 = only calls of which an attempt at a channel failed, answered or not; lines since version 0.2.0 */
                failed_attempt?: number;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description after the lines, sums of answered calls by account and model */
                sums?: boolean;
                /** @description whole tag of a call */
                tag?: string;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
                /** @description lines of one account under every name it had; 0 = all */
                user_id?: number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    LogSuggestions_failures: {
        parameters: {
            query?: {
                /** @description part of a name or error, in any case; empty = none */
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description newest first, at most eight of the newest 2,000 failed calls */
                        data: {
                            /** @description the provider's own error, else the one of the log line */
                            content: string;
                            model_name: string;
                            request_id: string;
                        }[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Logs_search: {
        parameters: {
            query?: {
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogLine"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    SelfLogs_list: {
        parameters: {
            query?: {
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description quota or use_time, largest first, among the newest 200000 lines that match; newest first when absent */
                sort?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description whole tag of a call */
                tag?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogExport_own: {
        parameters: {
            query?: {
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description after the lines, sums of answered calls by account and model */
                sums?: boolean;
                /** @description whole tag of a call */
                tag?: string;
                /** @description name in the time zone database, such as Asia/Kolkata; that of the account when absent */
                time_zone?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    SelfLogs_search: {
        parameters: {
            query?: {
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogLine"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogStatistics_own: {
        parameters: {
            query?: {
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description whole tag of a call */
                tag?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogStat"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogSuggestions_own: {
        parameters: {
            query?: {
                /** @description part of a name or error, in any case; empty = none */
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogSuggestions"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogStatistics_all: {
        parameters: {
            query?: {
                channel?: number;
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name of the end user of a call */
                end_user?: string;
                /** @description 1 = only calls of which an attempt at a channel failed, answered or not; lines since version 0.2.0 */
                failed_attempt?: number;
                group?: string;
                /** @description calls = answered and failed calls alone; every line when absent */
                kind?: string;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description X-Request-Id of one call */
                request_id?: string;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description whole tag of a call */
                tag?: string;
                token_name?: string;
                /** @description 0 = all */
                type?: number;
                /** @description lines of one account under every name it had; 0 = all */
                user_id?: number;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogStat"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    LogSuggestions_all: {
        parameters: {
            query?: {
                /** @description part of a name or error, in any case; empty = none */
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogSuggestions"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TokenLog_list: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; the number of the page then means nothing */
                cursor?: string;
                /** @description seconds, inclusive; open when absent or 0 */
                end_timestamp?: number;
                /** @description whole name; % and * stand for any text */
                model_name?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                /** @description 100 when absent, at most 100 */
                page_size?: number;
                /** @description seconds, inclusive; open when absent */
                start_timestamp?: number;
                /** @description 0 = all */
                type?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LogLine"][];
                        message: string;
                        next_cursor: string | null;
                        success: boolean;
                        total: number;
                    };
                };
            };
        };
    };
    Drawings_all: {
        parameters: {
            query?: {
                channel_id?: number;
                end_timestamp?: number;
                mj_id?: string;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                start_timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Drawing"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Drawings_own: {
        parameters: {
            query?: {
                end_timestamp?: number;
                mj_id?: string;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                start_timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Drawing"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ModelLists_byType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: string[];
                        };
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_notice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountMail_bindByGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountMail_bind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailBinding"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_github: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data?: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_linuxdo: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data?: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_oidc: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data?: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_discover: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OidcDiscovery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OidcEndpoints"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OAuthStart"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OAuthStarted"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OAuth_state: {
        parameters: {
            query?: {
                aff?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Telegram_bindByRedirect: {
        parameters: {
            query: {
                auth_date: string;
                first_name?: string;
                hash: string;
                id: string;
                lang?: string;
                last_name?: string;
                photo_url?: string;
                state?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Telegram_bind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TelegramBind"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Telegram_login: {
        parameters: {
            query: {
                auth_date: string;
                first_name?: string;
                hash: string;
                id: string;
                lang?: string;
                last_name?: string;
                photo_url?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    WeChat_login: {
        parameters: {
            query?: {
                aff?: string;
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    WeChat_bindByGet: {
        parameters: {
            query?: {
                aff?: string;
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    WeChat_bind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WeChatBind"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_alerts: {
        parameters: {
            query?: {
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                /** @description open, over; empty = both */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperationsAlertPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_acknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperationsAlertTest"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_acceptHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperationsJobs"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_runJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Operations_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperationsStatus"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Option"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionInput"] | components["schemas"]["OptionInput"][] | components["schemas"]["OptionUpdateWithNote"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lost_bindings?: components["schemas"]["LostBindings"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_fields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OptionField"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_changes: {
        parameters: {
            query?: {
                before?: number;
                key?: string;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OptionChange"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_resetModelRatio: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_rollBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionRollback"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Options_rollBackVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionVersionRollback"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TestMail_sendTestMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestMail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceList_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceEntry"][];
                        group_ratio: {
                            [key: string]: number;
                        };
                        message: string;
                        revision: number;
                        success: boolean;
                        usable_group: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
    };
    PriceLookup_lookUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceLookupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelPrice"][];
                        may_set: boolean;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PricePreview_preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PricePreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PricePreview"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceSync_apply: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceSyncApply"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceSync_diff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceSyncRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceSync"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceList_unset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceVersions_list: {
        parameters: {
            query?: {
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceVersion"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceVersions_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PriceVersionDetail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceVersions_rollBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceRollback"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_privacyPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PriceList_ratioConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RatioConfig"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_list: {
        parameters: {
            query?: {
                keyword?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RedemptionPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_update: {
        parameters: {
            query?: {
                status_only?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedemptionEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Redemption"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedemptionCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Redemption"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_creators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RedemptionCreatorSum"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_removeInvalid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        ids: number[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redemptions_search: {
        parameters: {
            query?: {
                keyword?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RedemptionPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountMail_requestReset: {
        parameters: {
            query?: {
                email?: string;
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Setup_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SetupStatus"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Setup_run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Setup"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Status"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tasks_all: {
        parameters: {
            query?: {
                action?: string;
                channel_id?: number;
                end_timestamp?: number;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                platform?: string;
                start_timestamp?: number;
                status?: string;
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tasks_own: {
        parameters: {
            query?: {
                action?: string;
                end_timestamp?: number;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                platform?: string;
                start_timestamp?: number;
                status?: string;
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_list: {
        parameters: {
            query?: {
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_update: {
        parameters: {
            query?: {
                /** @description not empty: only the status changes */
                status_only?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_lastCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TokenActivity"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_reveal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TokenKey"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AdministeredTokens_lock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenLock"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdministeredToken"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AdministeredTokens_unlock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdministeredToken"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AdministeredTokens_list: {
        parameters: {
            query?: {
                /** @description part of the owner's name */
                owner?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                /** @description how the key begins; POST a whole key to /api/token/find */
                prefix?: string;
                /** @description tokens of one account; 0 = all */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdministeredTokenPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_removeMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AdministeredTokens_find: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PastedTokenKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdministeredToken"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Tokens_search: {
        parameters: {
            query?: {
                keyword?: string;
                /** @description page, counted from 0 */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                size?: number;
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Uptime_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UptimeGroup"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TokenUsage_usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        code: true;
                        data: components["schemas"]["TokenUsage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_list: {
        parameters: {
            query?: {
                /** @description deregistered accounts: hide = without them, only = nothing else; with them when absent */
                deregistered?: "" | "hide" | "only";
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                /** @description largest first; the newest account first when absent */
                sort?: "" | "quota" | "used_quota" | "request_count";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_edit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Status_userAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserFactors_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserFactors"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserFactors_resetTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserIdentities_free: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                provider: "github" | "oidc" | "linuxdo" | "wechat" | "telegram";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Ledger_ofUser: {
        parameters: {
            query?: {
                kind?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LedgerPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_purge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserFactors_resetPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserSignIns_endAll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SessionsEnded"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    UserSignIns_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserSignIns"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TwoFactor_renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryCodesInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryCodes"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TwoFactor_disable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TwoFactor_enable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryCodes"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TwoFactor_setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorSetup"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TwoFactor_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorStatus"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_affCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_transferEarnings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AffTransfer"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_amount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpAmount"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Groups_ofGuests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: components["schemas"]["Group"];
                        };
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Ledger_own: {
        parameters: {
            query?: {
                kind?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LedgerPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Auth_login: {
        parameters: {
            query?: {
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInAnswer"];
                        /**
                         * @description an administrator whose password everybody tries
                         * @enum {boolean}
                         */
                        default_password?: true;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Auth_confirmLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStepInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Auth_unlock: {
        parameters: {
            query?: {
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginUnlock"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Auth_logoutByGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Auth_logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_manage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserManage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserManageResult"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ModelLists_ofCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string[];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyList"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_rename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRename"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_beginLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyRequest"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_finishLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAssertion"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInAnswer"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_beginRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyBegin"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyCreation"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_finishRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRegistration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_beginProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyRequest"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Passkeys_finishProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAssertion"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_pay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpAmount"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: string;
                        };
                        message: string;
                        /** @enum {string} */
                        method: "form" | "redirect";
                        success: boolean;
                        trade_no: string;
                        url: string;
                    };
                };
            };
        };
    };
    Registration_register: {
        parameters: {
            query?: {
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    PasswordReset_confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ResetMethods_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResetMethods"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    ResetMethods_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Users_search: {
        parameters: {
            query?: {
                /** @description deregistered accounts: hide = without them, only = nothing else; with them when absent */
                deregistered?: "" | "hide" | "only";
                group?: string;
                keyword?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                role?: number;
                /** @description largest first; the newest account first when absent */
                sort?: "" | "quota" | "used_quota" | "request_count";
                status?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UserPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_edit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelfEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_leave: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelfDelete"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Groups_own: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: components["schemas"]["Group"];
                        };
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    OwnIdentities_unbind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "github" | "oidc" | "linuxdo" | "wechat" | "telegram" | "email";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_closeAllSessions: {
        parameters: {
            query?: {
                /** @description end the login of this request as well */
                current?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SessionsEnded"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_closeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    WeeklyEmail_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WeeklyEmail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    WeeklyEmail_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WeeklyEmailChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WeeklyEmail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_changeSetting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserSetting"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_testSetting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_stripeAmount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpAmount"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_stripePay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpAmount"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            pay_link: string;
                        };
                        message: string;
                        success: boolean;
                        trade_no: string;
                    };
                };
            };
        };
    };
    Self_renewTokenByGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Self_renewToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: string;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Orders_list: {
        parameters: {
            query?: {
                end_timestamp?: number;
                /** @description beginning of a trade number */
                keyword?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                provider?: string;
                start_timestamp?: number;
                /** @description a state; refunded, disputed, paid-again; `success` = paid and not reversed: refunded and disputed orders were paid, too */
                status?: string;
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpAdminOrderPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Redeem_redeem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Redeem"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: number;
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Orders_complete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteOrder"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpAdminOrderDetail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpInfo"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Orders_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trade_no: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpAdminOrderDetail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    Orders_refund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundOrder"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpAdminOrderDetail"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_list: {
        parameters: {
            query?: {
                end_timestamp?: number;
                /** @description beginning of a trade number */
                keyword?: string;
                /** @description the same as page */
                p?: number;
                /** @description page, counted from 1; goes before p */
                page?: number;
                page_size?: number;
                start_timestamp?: number;
                /** @description a state; refunded, disputed, paid-again; `success` = paid and not reversed: refunded and disputed orders were paid, too */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpOrderPage"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    TopUp_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trade_no: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopUpOrder"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    AccountMail_sendCode: {
        parameters: {
            query?: {
                email?: string;
                purpose?: string;
                turnstile?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    StepUp_prove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FreshProof"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
    StepUp_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FreshStatus"];
                        message: string;
                        success: boolean;
                    };
                };
            };
        };
    };
}
