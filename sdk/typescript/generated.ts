/** Made by "npm run pages" from the API's document: not to be edited. */
export interface paths {
    "/api/create-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent
         * @description The agent is published at once. Undocumented keys of a section are stored unchanged.
         */
        post: operations["postCreateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents, newest first */
        get: operations["getAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent and its configuration */
        get: operations["getAgentAgentId"];
        put?: never;
        post?: never;
        /**
         * Archive an agent
         * @description The agent is unknown from then on. Its campaigns continue with its last configuration.
         */
        delete: operations["deleteAgentAgentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/{agent_id}/persona": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an agent's persona section
         * @description Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.
         */
        patch: operations["patchAgentAgentIdPersona"];
        trace?: never;
    };
    "/api/agent/{agent_id}/training": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an agent's training section
         * @description Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.
         */
        patch: operations["patchAgentAgentIdTraining"];
        trace?: never;
    };
    "/api/agent/{agent_id}/experience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an agent's experience section
         * @description Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.
         */
        patch: operations["patchAgentAgentIdExperience"];
        trace?: never;
    };
    "/api/agent/{agent_id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an agent's analysis section
         * @description Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.
         */
        patch: operations["patchAgentAgentIdAnalysis"];
        trace?: never;
    };
    "/api/agent/{agent_id}/deployment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an agent's deployment section
         * @description Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.
         */
        patch: operations["patchAgentAgentIdDeployment"];
        trace?: never;
    };
    "/api/agent/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent's configuration, newest first
         * @description Each change creates a version. Versions used by a call, the current version and the 50 before it are kept. Read one with `GET /api/agent/{agent_id}?version=`.
         */
        get: operations["getAgentAgentIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/{agent_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an earlier version of an agent
         * @description Restores all five sections and their secrets as a new version. A call keeps the configuration with which it started. If nothing differs, no version is created.
         */
        post: operations["postAgentAgentIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/{agent_id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the test conversations of an agent */
        get: operations["getAgentAgentIdConversations"];
        /**
         * Replace the test conversations of an agent
         * @description Replaces all of them, in the given order. They create no version of the agent and are deleted when it is archived. They have no retention period, so do not include personal data.
         */
        put: operations["putAgentAgentIdConversations"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trigger-call/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dispatch a phone call or open a browser session
         * @description The call is accepted at once and waits for a free line, also across restarts. In a browser session the agent joins once there is a line. Fields of the other medium are ignored.
         */
        post: operations["postTriggerCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calls of the organization, newest first */
        get: operations["getCallHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call_details/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the transcript and analysis of a call */
        get: operations["getCallDetailsCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/hangup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call
         * @description A call that is not dialled yet is cancelled. A live call ends within seconds. A call that is over stays unchanged. A campaign does not redial the contact.
         */
        post: operations["postCallsCallIdHangup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{call_id}/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Listen to a live call
         * @description Returns a token with which one listener can hear the room, hidden and muted. Listeners do not affect the call. Only calls over LiveKit can be heard.
         */
        post: operations["postCallsCallIdListen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transcript/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transcript of a finished call
         * @description Returns JSON, or text if Accept is text/plain.
         */
        get: operations["getTranscriptCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the recording of a call
         * @description Supports Range requests, so players can seek.
         */
        get: operations["getStreamCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a campaign from a contact file
         * @description The campaign is active at once and dials within its window. A file with any fault is rejected as a whole. Duplicate numbers are dialled once.
         */
        post: operations["postCampaignsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a campaign without making calls
         * @description Accepts and rejects the same requests as create. It stores and starts nothing. It runs the engine's own rules over assumed calls, so the same request at the same time has the same result.
         */
        post: operations["postCampaignsSimulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forecast the rest of a campaign
         * @description Simulates the remaining contacts from now on, as if the campaign were not paused. Once twenty of its calls are over, their answer rate and talk time are used as assumptions.
         */
        get: operations["getCampaignsCampaignIdForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/contact-file/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a contact file
         * @description Returns columns, first rows and faults as create would read them. Nothing is stored. A file that cannot be read as rows is rejected as by create. Texts are truncated to 200 characters.
         */
        post: operations["postCampaignsContactFilePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List campaigns, newest first */
        get: operations["getCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a campaign and its statistics */
        get: operations["getCampaignsCampaignId"];
        /**
         * Update a campaign that has not ended
         * @description Only the supplied fields change. The campaign is paused first and must be resumed by a request. A rejected update does not pause it.
         */
        put: operations["putCampaignsCampaignId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description After the response nothing more is dialled; live calls finish. Repeating it has no effect.
         */
        post: operations["postCampaignsCampaignIdPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused campaign
         * @description The campaign dials again as soon as its window is open.
         */
        post: operations["postCampaignsCampaignIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign permanently
         * @description After the response nothing more is dialled; live calls finish. Repeating it has no effect.
         */
        post: operations["postCampaignsCampaignIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/pause-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause every campaign that is active, scheduled or outside its window
         * @description After the response none of them dials; live calls finish. If it fails midway, the campaigns paused so far stay paused. Repeat it to pause the rest.
         */
        post: operations["postCampaignsPauseAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/resume-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the campaigns that pause-all paused
         * @description Campaigns that were paused before, or that were paused, resumed or changed individually since then, stay unchanged.
         */
        post: operations["postCampaignsResumeAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a campaign's contacts with their outcomes, in the order of the file */
        get: operations["getCampaignsCampaignIdContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a person in all campaigns, newest campaign first
         * @description Finds at most 1,000 contacts; without `search` the list is empty. Names match by their beginning, in any case.
         */
        get: operations["getContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the contact file */
        get: operations["getCampaignsCampaignIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a report on every contact
         * @description Reflects the current state, also while the campaign is running.
         */
        get: operations["getCampaignsCampaignIdReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch all open campaigns, up to the newest 100
         * @description Server-sent events named progress: one at once, then one for each change, at most one per second and campaign. A comment is sent every 15 seconds. The stream ends with the session or API key.
         */
        get: operations["getLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{campaign_id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the progress of a campaign
         * @description Server-sent events named progress: one at once, then one for each change, at most one per second and campaign. A comment is sent every 15 seconds. The stream ends with the session or API key.
         */
        get: operations["getCampaignsCampaignIdLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook deliveries with all attempts, newest first */
        get: operations["getWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook delivery with its body and all attempts */
        get: operations["getWebhookDeliveriesDeliveryId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-deliveries/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver many events
         * @description Starts another round of up to five attempts for each matching delivery, with the same event ids, oldest first, at ten per second.
         */
        post: operations["postWebhookDeliveriesRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Starts another round of up to five attempts with the same event id. Has no effect while attempts are still pending.
         */
        post: operations["postWebhookDeliveriesDeliveryIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the signing secrets of webhooks, newest first */
        get: operations["getWebhookSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-secrets/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of webhooks
         * @description The new secret is shown only once. Until the old one expires, webhooks are signed with both.
         */
        post: operations["postWebhookSecretsRotate"];
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
        /** Get the organization's limits and usage, and the scopes of the API key */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of the service
         * @description Parts that cannot be checked are omitted: LiveKit if it is not configured, workers while Temporal is down, the carrier unless at least three of the organization's dials ended in the last 15 minutes, and agents, which LiveKit does not list. Results may be five seconds old.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/do-not-disturb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the organization's do-not-disturb numbers, newest first */
        get: operations["getDoNotDisturb"];
        put?: never;
        /**
         * Add a number to the do-not-disturb list
         * @description Has no effect if the number is already listed.
         */
        post: operations["postDoNotDisturb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/do-not-disturb/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a number from the do-not-disturb list
         * @description Also succeeds if the number is not listed.
         */
        post: operations["postDoNotDisturbRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of the organization, newest first */
        get: operations["getKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown only once. It may do no more, and lasts no longer, than the API key of the request. Created by a console session, it lasts at most 90 days.
         */
        post: operations["postKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key permanently
         * @description Also revokes the keys that it created and ends the console sessions of all of them. A key with more scopes than that of the request cannot be revoked.
         */
        post: operations["postKeysKeyIdRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open console sessions of an API key, newest first */
        get: operations["getKeysKeyIdSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all console sessions of an API key
         * @description Also invalidates its sign-in links. The key stays valid.
         */
        post: operations["postKeysKeyIdSessionsEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/sessions/{session_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End one console session */
        post: operations["postKeysSessionsSessionIdEnd"];
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
        /**
         * List the audit log, newest first
         * @description Counts at most 10,000 entries.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current session */
        get: operations["getConsoleSession"];
        put?: never;
        /**
         * Open a console session
         * @description Takes an API key or the token of a sign-in link. The session is a cookie that lasts twelve hours and ends with its key. Opening it ends the session of the request, if any. A key has at most 50 sessions; another one ends the oldest.
         */
        post: operations["postConsoleSession"];
        /** End the current session */
        delete: operations["deleteConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A configurable voice agent */
        Agent: {
            /**
             * Format: uuid
             * @description Identifier of the agent, used as agent_id elsewhere
             */
            id: string;
            /**
             * @description Slug, unique within the organization
             * @example check-up-reminder
             */
            agent_name: string;
            /**
             * @description Human-readable name
             * @example Check-up reminder
             */
            display_name: string;
            /**
             * Format: uuid
             * @description Owning organization
             */
            client_id: string;
            /** @description Name of the organization */
            client_name: string;
            /** @description Published for active use */
            published: boolean;
            /**
             * Format: date-time
             * @description Time of publication
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last change to its configuration
             */
            last_edited_at: string;
            /** @description Stored deployment section */
            deployment_config: Record<string, never>;
            /**
             * @description initialized until the agent has a system prompt, then running. stopped when archived
             * @enum {string}
             */
            status: "initialized" | "running" | "stopped";
            /** @description Reserved */
            gsheet_config: Record<string, never> | null;
            /** @description True if the agent is archived */
            archived: boolean;
        };
        /** @description Sections of the configuration, all optional */
        AgentConfig: {
            persona?: components["schemas"]["Persona"] | null;
            training?: components["schemas"]["Training"] | null;
            experience?: components["schemas"]["Experience"] | null;
            analysis?: components["schemas"]["Analysis"] | null;
            deployment?: components["schemas"]["Deployment"] | null;
        };
        AgentPage: {
            data: components["schemas"]["Agent"][];
            pagination: components["schemas"]["Pagination"];
        };
        AgentVersion: {
            /** @description Number of the version. Each change increments it */
            version: number;
            /**
             * Format: date-time
             * @description Time of the change
             */
            created_at: string;
            /** @description True if new calls use this version */
            current: boolean;
            /** @description True if any call used this version */
            used: boolean;
            /** @description Sections that differ from the previous version. For the first version, the sections that it sets */
            changed: ("persona" | "training" | "experience" | "analysis" | "deployment")[];
        };
        AgentVersionPage: {
            data: components["schemas"]["AgentVersion"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An agent and its configuration */
        AgentWithConfig: {
            /**
             * Format: uuid
             * @description Identifier of the agent, used as agent_id elsewhere
             */
            id: string;
            /**
             * @description Slug, unique within the organization
             * @example check-up-reminder
             */
            agent_name: string;
            /**
             * @description Human-readable name
             * @example Check-up reminder
             */
            display_name: string;
            /**
             * Format: uuid
             * @description Owning organization
             */
            client_id: string;
            /** @description Name of the organization */
            client_name: string;
            /** @description Published for active use */
            published: boolean;
            /**
             * Format: date-time
             * @description Time of publication
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last change to its configuration
             */
            last_edited_at: string;
            /** @description Stored deployment section */
            deployment_config: Record<string, never>;
            /**
             * @description initialized until the agent has a system prompt, then running. stopped when archived
             * @enum {string}
             */
            status: "initialized" | "running" | "stopped";
            /** @description Reserved */
            gsheet_config: Record<string, never> | null;
            /** @description True if the agent is archived */
            archived: boolean;
            config: components["schemas"]["StoredAgentConfig"];
        };
        AllPaused: {
            paused: number;
        };
        AllResumed: {
            resumed: number;
            /** @description Number of campaigns left paused because their agent may no longer call from its number */
            left_paused: number;
        };
        /** @description What is read from a finished call */
        Analysis: {
            /**
             * @description Whether people who want no more calls are put on the do-not-disturb list
             * @default false
             */
            do_not_call?: boolean | null;
            /** @description Judging the call */
            evaluations?: {
                /** @description Business results */
                dispositions?: {
                    /**
                     * @description Whether dispositions are decided
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description Dispositions of the organisation. By rules: the last yes or no, number or tag said */
                    prompt_based?: {
                        /** @description Name of the answer */
                        name: string;
                        /**
                         * @description Type of the answer
                         * @enum {string}
                         */
                        type: "bool" | "string" | "number";
                        /** @description Question put to the transcript */
                        prompt: string;
                        /** @description Allowed answer to its meaning; only of the type `string` */
                        list_of_tags?: {
                            [key: string]: components["schemas"]["Json"];
                        } | null;
                    }[] | null;
                    /** @description Dispositions of the system. Stored only: the interface does not show them */
                    system_based?: components["schemas"]["Json"][] | null;
                } | null;
                /** @description Free evaluation */
                conversation_evaluation?: {
                    /**
                     * @description Whether a score from 0 to 100 is given, with reasons
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description What to evaluate. By rules unused: sentiment, interruptions and response times decide */
                    prompt?: string | null;
                } | null;
            } | null;
            /** @description Taking facts from the call */
            extraction?: {
                /** @description Facts */
                data_collection?: {
                    /**
                     * @description Whether facts are taken
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description The facts. By rules: the value said last, null without `values` */
                    data_points?: {
                        /** @description Key of the fact in call_entity */
                        name: string;
                        /** @description Question put to the transcript */
                        prompt: string;
                        /** @description The only answers allowed; any text unless set */
                        values?: components["schemas"]["Json"][] | null;
                        /**
                         * @description Allow null when nothing is found
                         * @default true
                         */
                        nullable?: boolean | null;
                    }[] | null;
                } | null;
                /** @description Concerns of the customer */
                collect_concerns?: {
                    /**
                     * @description Whether concerns are collected, as `concerns` among the facts. By rules: never
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description What counts as a concern */
                    prompt?: string | null;
                } | null;
            } | null;
        };
        /** @description Does not contain the key itself. */
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string | null;
            /**
             * @description First twelve characters of the key
             * @example vap_Xx1yZ2w3
             */
            prefix: string;
            /** @description Scopes of the key */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * Format: uuid
             * @description Id of the key that created it. Revoking that key also revokes this one. Null if the operator created it
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last use, to the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Null if it never expires
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "valid" | "expired" | "revoked";
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        AuditEntry: {
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "api_key" | "operator" | "agent" | "visitor";
                /** @description Id of the API key or agent. Null for operators and visitors */
                id: string | null;
                /** @description Name of the API key */
                name: string | null;
            };
            /** @enum {string} */
            action: "agent.archive" | "agent.conversations" | "agent.create" | "agent.restore" | "agent.update" | "call.dispatch" | "call.hangup" | "call.listen" | "call.transfer" | "call.transfer_refused" | "campaign.cancel" | "campaign.create" | "campaign.pause" | "campaign.pause_all" | "campaign.resume" | "campaign.resume_all" | "campaign.update" | "console.link" | "console.sign_in" | "console.sign_in_failed" | "delivery.redeliver" | "dnd.add" | "dnd.clear" | "dnd.import" | "dnd.remove" | "key.create" | "key.expire" | "key.revoke" | "mail.confirm" | "mail.remove" | "number.add" | "number.import" | "number.remove" | "org.create" | "org.update" | "person.erase" | "secret.create" | "secret.revoke" | "secret.rotate" | "secrets.re-encrypt" | "session.end" | "storage.move";
            /** @description Id of the changed object. For a setting of the organization as a whole, the id of the organization */
            subject_id: string;
            /** @description Name of the agent, campaign or API key, if it still exists */
            subject_name: string | null;
            /** @description Names of the fields that were changed, never their values */
            fields: string[];
            /** @description Client address of the request. Null for operators and agents */
            address: string | null;
            /** @description X-Request-Id of the request */
            request_id: string | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Spend limits and circuit breaker, which pause campaigns automatically. Days are in UTC */
        Brakes: {
            /** @description Credits that a campaign may spend per day; null means unlimited */
            campaign_spend_per_day: number | null;
            /** @description Credits that the organization may spend per day; null means unlimited */
            spend_per_day: number | null;
            /** @description Credits that the organization has spent today */
            spent_today: number;
            /** @description Share of recent dials that the carrier may fail before campaigns pause; 0 means unlimited. Null uses the operator's setting */
            failure_rate: number | null;
        };
        BrowserSession: {
            /** @description Token for the real-time server */
            token: string;
            room_name: string;
            agent_name: string;
            /** @description URL to connect to with the token */
            connection_url: string;
            /** @description WebSocket URL of the live captions */
            live_captions_url: string;
        };
        /** @description One call attempt */
        Call: {
            /** @description Unique. Starts with outbound- for outbound phone calls, inbound- for inbound ones and room_ for browser sessions */
            call_id: string;
            /** @enum {string} */
            call_type: "Outbound" | "Inbound";
            /**
             * @description Final: one of completed, User disconnected, voicemail, no answer, busy, rejected, failed, error, DND, cancelled, expired. Before that: queued, dialing, ringing, in progress
             * @example completed
             */
            call_status: string;
            /** @enum {string} */
            direction: "Outbound" | "Incoming";
            /** @description Display name of the agent */
            agent_name: string;
            client_name: string;
            /** Format: uuid */
            agent_id: string;
            /** Format: uuid */
            client_id: string;
            /** @description E.164; web-user in a browser session. Null until the carrier reports which number it used, or if the caller withholds theirs */
            from_number: string | null;
            /**
             * @description E.164; null in a browser session
             * @example +919876543210
             */
            to_number: string | null;
            /**
             * Format: date-time
             * @description When the call was accepted
             */
            Start_time: string;
            /**
             * Format: date-time
             * @description Null until the call has ended
             */
            End_time: string | null;
            /** @description Milliseconds from answer to end; 0 if unanswered */
            duration_ms: number;
            /** @description Credits, charged per started minute of talk */
            call_cost: number;
            /** @description Generated summary */
            call_summary: string | null;
            /** @description Extracted data. The keys depend on the agent */
            call_entity: Record<string, never>;
            /** @description Evaluation tag */
            call_eval_tag: string | null;
            /** @description score, sentiment, agent_talk_ratio, interruptions, avg_response_ms, p95_response_ms; empty until processed */
            call_conversation_quality: Record<string, never>;
            /** @enum {string} */
            post_processing_status: "completed" | "not_processed" | "processing";
            /** Format: date-time */
            call_dialing_at: string | null;
            /** Format: date-time */
            call_ringing_at: string | null;
            /** Format: date-time */
            user_picked_up_at: string | null;
            /**
             * Format: uri
             * @description URL of the recording, signed for 24 hours. Null until there is one
             */
            recording_api: string | null;
            /**
             * Format: uri
             * @description URL of the transcript, signed for 24 hours. Null until there is one
             */
            call_transcription: string | null;
            /** @description Variables of the call. The fields name, phone, agent_name, agent_id and client_id take precedence over them */
            call_metadata: Record<string, never>;
            chat_history: components["schemas"]["ChatMessage"][];
            /** @description True if the person asked not to be called again */
            do_not_call: boolean;
            callback_requested: boolean;
            callback_id: string | null;
            callback_status: string | null;
            /**
             * Format: date-time
             * @description Set if the connection to the phone was lost because its SIP bridge died or LiveKit was unavailable. Until then the call may still ring or be connected, so it keeps its line
             */
            line_kept_until: string | null;
        };
        CallDetails: {
            /** @description Lines prefixed AGENT: and USER:. A fixed text until processed */
            transcription: string;
            /** @description Extracted entities. A fixed text until processed */
            entity: Record<string, never> | string;
            /** @description Evaluation as configured in the agent. A fixed text until processed */
            conversation_eval: Record<string, never> | string;
            /** @description Summary of the call. A fixed text until processed */
            summary: string;
            /**
             * @description Null until processed
             * @example not enough data
             */
            call_eval_tag: string | null;
            /**
             * @description Whether a language model or the built-in rules produced the four fields above. Null until processed
             * @enum {string|null}
             */
            analysis_method: "model" | "rules" | null;
            usage: components["schemas"]["CallUsage"] | null;
        };
        CallPage: {
            data: components["schemas"]["Call"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Usage of models. Null if none was reported */
        CallUsage: {
            models: components["schemas"]["UsedModel"][];
            /** @description Total cost. Null if the cost of any model is unknown */
            cost: number | null;
        };
        Campaign: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Start of the daily window in UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description End of the daily window in UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            /** Format: uuid */
            client_id: string;
            /** Format: uuid */
            agent_id: string;
            /**
             * Format: uri
             * @description URL of the contact file, signed for 24 hours
             */
            excel_blob_url: string;
            /**
             * @description Format of the file, detected from its content
             * @enum {string}
             */
            contact_source_type: "csv" | "xlsx" | "xls";
            /** @description Maximum number of attempts per contact. 1 means no redial */
            max_retries: number;
            /** @description Minutes from the end of an attempt to the next one */
            retry_after_mins: number;
            /** @description Maximum number of live calls of the campaign */
            call_concurrency: number;
            /**
             * @description First day
             * @example 2026-11-02T00:00:00
             */
            start_date: string;
            /**
             * @description Last day
             * @example 2099-12-31T23:59:59
             */
            end_date: string;
            notification_emails: string[];
            /** @description `campaign_webhook_url` of the request */
            webhook_url: string | null;
            perform_dnd_check: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CampaignDetail: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Start of the daily window in UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description End of the daily window in UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            /** Format: uuid */
            client_id: string;
            /** Format: uuid */
            agent_id: string;
            /**
             * Format: uri
             * @description URL of the contact file, signed for 24 hours
             */
            excel_blob_url: string;
            /**
             * @description Format of the file, detected from its content
             * @enum {string}
             */
            contact_source_type: "csv" | "xlsx" | "xls";
            /** @description Maximum number of attempts per contact. 1 means no redial */
            max_retries: number;
            /** @description Minutes from the end of an attempt to the next one */
            retry_after_mins: number;
            /** @description Maximum number of live calls of the campaign */
            call_concurrency: number;
            /**
             * @description First day
             * @example 2026-11-02T00:00:00
             */
            start_date: string;
            /**
             * @description Last day
             * @example 2099-12-31T23:59:59
             */
            end_date: string;
            notification_emails: string[];
            /** @description `campaign_webhook_url` of the request */
            webhook_url: string | null;
            perform_dnd_check: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description URL for events of each call */
            per_call_webhook_url: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** @description Reason for the status */
            status_reason: string | null;
            /** @description Delivery of the report to each of notification_emails. Before the campaign ends: confirmed or unconfirmed. Unconfirmed addresses get no report */
            completion_mails: components["schemas"]["CompletionMail"][];
        };
        CampaignEdit: {
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name?: string;
            /**
             * @description Maximum number of live calls, up to the organization's maximum
             * @example 2
             */
            concurrency?: number;
            /**
             * Format: date
             * @description First day, in UTC
             * @example 2026-11-02
             */
            from_date?: string;
            /**
             * Format: date
             * @description Last day, in UTC
             * @example 2099-12-31
             */
            to_date?: string;
            /**
             * @description Start of the daily window in UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time?: string;
            /**
             * @description End of the daily window in UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time?: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week?: string;
            /**
             * @description Maximum number of attempts per contact, 1-10. 1 means no redial
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of an attempt to the next one, 0-1440
             * @example 30
             */
            retry_delay_mins?: number;
            /** @description Comma-separated e-mail addresses, at most 5 */
            notification_emails?: string | null;
            /** @description URL for events of the campaign */
            campaign_webhook_url?: string | null;
            /** @description URL for events of each call */
            per_call_webhook_url?: string | null;
        } | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown;
        CampaignEditForm: {
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name?: string;
            /**
             * @description Maximum number of live calls, up to the organization's maximum
             * @example 2
             */
            concurrency?: number;
            /**
             * Format: date
             * @description First day, in UTC
             * @example 2026-11-02
             */
            from_date?: string;
            /**
             * Format: date
             * @description Last day, in UTC
             * @example 2099-12-31
             */
            to_date?: string;
            /**
             * @description Start of the daily window in UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time?: string;
            /**
             * @description End of the daily window in UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time?: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week?: string;
            /**
             * @description Maximum number of attempts per contact, 1-10. 1 means no redial
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of an attempt to the next one, 0-1440
             * @example 30
             */
            retry_delay_mins?: number;
            /** @description Comma-separated e-mail addresses, at most 5 */
            notification_emails?: string;
            /** @description URL for events of the campaign */
            campaign_webhook_url?: string;
            /** @description URL for events of each call */
            per_call_webhook_url?: string;
        } | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown;
        CampaignError: {
            status_code: number;
            /**
             * @description Name of the status
             * @example Bad Request
             */
            error: string;
            message: string;
            code: string;
            path: string;
            /** Format: date-time */
            timestamp: string;
            request_id: string;
            details?: unknown[];
            /** @description Number of faults in the file; details holds the first 100 */
            details_total?: number;
        };
        CampaignListItem: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** Format: uuid */
            agent_id: string;
            call_concurrency: number;
            /** @description Number of contacts */
            total_leads: number;
            /** @description Number of contacts that were reached */
            completed_calls: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CampaignOutcome: {
            /** @enum {string} */
            call_status: "completed" | "User disconnected" | "voicemail" | "no answer" | "busy" | "rejected" | "failed" | "error" | "DND" | "cancelled" | "expired";
            calls: number;
        };
        CampaignPage: {
            campaigns: components["schemas"]["CampaignListItem"][];
            pagination: components["schemas"]["CampaignPagination"];
        };
        CampaignPagination: {
            /** @description Number of this page, starting at 1 */
            page: number;
            /** @description Maximum number of items on a page */
            page_size: number;
            /** @description Number of items on all pages */
            total: number;
            /** @description Number of pages */
            total_pages: number;
        };
        CampaignProgress: {
            /** Format: uuid */
            campaign_id: string;
            /** @enum {string} */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** @description Reason why the campaign is not dialling; null while it dials */
            status_reason: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** @description Maximum number of live calls of the campaign */
            call_concurrency: number;
            /** @description Number of calls that hold a line */
            lines_in_use: number;
            /** @description Number of calls that wait for a line */
            waiting_calls: number;
            /** @description Calls dialled in the last minute */
            calls_per_minute: number;
            /** @description Results of its calls. Updated less often for large campaigns */
            outcomes: components["schemas"]["CampaignOutcome"][];
            /**
             * @description Next action of the engine, as text for people
             * @example dialling; the window closes 14:29 UTC
             */
            next_step: string;
            /**
             * Format: date-time
             * @description Due time of the next redial that is not yet due
             */
            next_redial_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        CampaignStanding: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Contacts by state; they always add up */
        CampaignStats: {
            /** @description Contacts */
            total_calls: number;
            /** @description Answered, voicemail included */
            completed: number;
            pending: number;
            in_progress: number;
            /** @description failed, duplicate, dnd, invalid, cancelled and expired contacts */
            failed: number;
        };
        ChatMessage: {
            /**
             * @description Speaker of this message
             * @enum {string}
             */
            role: "agent" | "user" | "tool";
            /** @description What was said */
            content: string;
            /** @description Start, in milliseconds since the call was answered */
            start_ms: number;
            /** @description End, in milliseconds since the call was answered */
            end_ms: number;
            /** @description True if the other speaker interrupted it */
            interrupted: boolean;
        };
        CompletionMail: {
            email: string;
            /** @enum {string} */
            status: "pending" | "sent" | "failed" | "skipped" | "unconfirmed" | "confirmed";
        };
        ConsoleSession: {
            /** @description Name of the organization */
            organisation: string;
            /** @description Name or first characters of the key that the session acts for */
            key_name: string;
            /** @description Current scopes of the key */
            scopes: ("read" | "operate" | "configure")[];
            /** @description Send it as X-CSRF-Token with every request that changes something */
            csrf_token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description URLs in Temporal's Web UI. Null unless the session began with a link that an operator created for this */
            workflow_pages: {
                /** @description URL of a campaign, with `{id}` in place of its id */
                campaign: string;
                /** @description URL of a call, with `{id}` in place of its id */
                call: string;
                /** @description URL of the list of all workflows */
                list: string;
            } | null;
        };
        ConsoleSignIn: {
            /** @description An API key of the organization */
            api_key?: string;
            /** @description Token of a sign-in link. It works only once */
            sign_in_token?: string;
        } & (unknown | unknown);
        Contact: {
            /** @description Row number in the file. The header is row 1 */
            row: number;
            name: string;
            /** @description E.164 */
            phone_number: string;
            /** @description Extra columns of the file */
            variables: Record<string, never>;
            /** @enum {string} */
            state: "pending" | "in_progress" | "completed" | "failed" | "duplicate" | "dnd" | "invalid" | "cancelled" | "expired";
            /** @description Reason why it was not called or not reached */
            reason: string | null;
            attempts: components["schemas"]["ContactAttempt"][];
            /**
             * Format: date-time
             * @description Due time of its redial or callback, regardless of the calling window
             */
            next_attempt_at: string | null;
            /** @description True if the person asked in a call not to be called again */
            do_not_call: boolean;
            /**
             * @description Text for people: why it was not reached or is not called now. Null if it was reached or is being called
             * @example Outside the calling window until 2026-11-23 02:30 UTC
             */
            why: string | null;
            next: components["schemas"]["ContactNextStep"];
        };
        ContactAttempt: {
            /** @description Number of the attempt. A callback has the number of the attempt before it */
            attempt: number;
            /** @description True if the person requested this call in an earlier one */
            is_callback: boolean;
            call_id: string;
            call_status: string;
            /** @description Who or what ended it. Null while it is in progress */
            end_reason: string | null;
            /**
             * Format: date-time
             * @description Time of the dial request to the carrier
             */
            started_at: string | null;
            /** Format: date-time */
            dialed_at: string | null;
            /** Format: date-time */
            ringing_at: string | null;
            /** Format: date-time */
            answered_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Milliseconds from answer to end. 0 if unanswered or still in progress */
            duration_ms: number;
        };
        ContactFileColumn: {
            title: string;
            /**
             * @description Use of the column: the name, the number or a variable of the contact. `unclear` if its header is invalid
             * @enum {string}
             */
            meaning: "name" | "phone_number" | "variable" | "unclear";
        };
        ContactFileFault: {
            row: number;
            /** @description Null if the whole row is at fault */
            column: string | null;
            value: string | null;
            reason: string;
        };
        ContactFilePreview: {
            /**
             * @description Format detected from the content, whatever the name of the file
             * @enum {string}
             */
            format: "csv" | "xlsx" | "xls";
            columns: components["schemas"]["ContactFileColumn"][];
            /** @description First five rows below the header */
            rows: components["schemas"]["ContactFileRow"][];
            /** @description Number of rows below the header */
            rows_total: number;
            /** @description First hundred faults. Create accepts only a file without faults */
            faults: components["schemas"]["ContactFileFault"][];
            faults_total: number;
        };
        ContactFileRow: {
            /** @description Row number in the spreadsheet */
            row: number;
            /** @description At most one cell per column */
            cells: string[];
        };
        ContactNextStep: {
            /**
             * @description Next action
             * @enum {string}
             */
            action: "dial" | "redial" | "callback" | "none";
            /**
             * Format: date-time
             * @description Earliest time of the action. Null if it depends on a free line, a person or the current call
             */
            at: string | null;
            /**
             * @description Text for people
             * @example It is dialled again from 2026-11-23 02:45 UTC on, as soon as a line is free, dial 2 of 3
             */
            sentence: string;
        };
        ContactPage: {
            data: components["schemas"]["Contact"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreateAgent: {
            /**
             * @description Human-readable name. The slug agent_name is derived from it
             * @example Check-up reminder
             */
            agent_display_name: string;
            config?: components["schemas"]["AgentConfig"] | null;
        };
        CreateCampaign: {
            /**
             * Format: binary
             * @description 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name: string;
            /**
             * @description Maximum number of live calls, up to the organization's maximum
             * @example 2
             */
            concurrency: number;
            /**
             * Format: date
             * @description First day, in UTC
             * @example 2026-11-02
             */
            from_date: string;
            /**
             * Format: date
             * @description Last day, in UTC
             * @example 2099-12-31
             */
            to_date: string;
            /**
             * @description Start of the daily window in UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time: string;
            /**
             * @description End of the daily window in UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Maximum number of attempts per contact, 1-10. 1 means no redial
             * @default 3
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of an attempt to the next one, 0-1440
             * @default 30
             * @example 30
             */
            retry_delay_mins?: number;
            /**
             * @description Comma-separated e-mail addresses, at most 5
             * @default []
             */
            notification_emails?: string;
            /**
             * @description URL for events of the campaign
             * @default null
             */
            campaign_webhook_url?: string;
            /**
             * @description URL for events of each call
             * @default null
             */
            per_call_webhook_url?: string;
            /** @description Id or `agent_name` of the agent */
            agent_id: string;
            /**
             * @description If true, contacts on the do-not-disturb list are not called
             * @default false
             */
            perform_dnd_check?: boolean;
        };
        CreatedAgent: {
            /**
             * @constant
             * @enum {boolean}
             */
            success: true;
            /**
             * Format: uuid
             * @description Identifier of the new agent
             */
            agent_id: string;
            /** @description Display name */
            agent_name: string;
            /**
             * Format: uuid
             * @description Owning organization
             */
            client_id: string;
        };
        DeliveryAttempt: {
            attempt: number;
            /** Format: date-time */
            at: string;
            /** @description HTTP status of the response. Null if there was none */
            status_code: number | null;
            duration_ms: number;
            error: string | null;
        };
        DeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The numbers an agent calls from and answers */
        Deployment: {
            /** @description Telephony */
            phone?: {
                /** @description By direction */
                call_type?: {
                    /** @description Number whose callers the agent answers; empty removes the route */
                    Inbound?: string | null;
                    /** @description Numbers the agent may dial from; any unless set */
                    Outbound?: string[] | null;
                } | null;
            } | null;
        };
        DeploymentUpdate: {
            deployment: components["schemas"]["Deployment"];
        };
        Dispatch: {
            /**
             * @description Id or `agent_name` of the agent
             * @example check-up-reminder
             */
            agent_id: string;
            /**
             * @description Template variables for the agent's prompt: at most 100 keys and 16 KiB as JSON
             * @default {}
             * @example {
             *       "city": "Pune"
             *     }
             */
            metadata?: {
                [key: string]: components["schemas"]["Json"];
            };
            modify_agent?: components["schemas"]["ModifyAgent"] | null;
            /**
             * @description Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX
             * @example +919876543210
             */
            contact_number: string;
            /**
             * @description Name of the callee
             * @example Asha Rao
             */
            name: string;
            /**
             * @description Voice to use. Empty uses the agent's own
             * @default
             */
            voice?: string;
            /**
             * @description E.164 caller ID. Must be one of the agent's outbound numbers, if it has any
             * @default null
             */
            outbound_number?: string | null;
            /**
             * @description If true, the do-not-disturb check is skipped
             * @default false
             */
            dnd_check_skipped?: boolean;
            /**
             * @description A phone call
             * @default telephony
             * @constant
             * @enum {string}
             */
            medium?: "telephony";
        };
        DispatchError: {
            /**
             * @constant
             * @enum {boolean}
             */
            success: false;
            message: string;
            output: null;
            /** @description Error code */
            error: string;
            detail: components["schemas"]["ErrorDetail"] | components["schemas"]["InputFault"][];
        };
        DispatchOutput: {
            agent_name: string;
            /** @description Starts with outbound- */
            call_id: string;
            /** @description WebSocket URL of the live captions */
            live_captions_url: string;
        };
        /** @description An accepted call. It waits for a free line and survives restarts */
        Dispatched: {
            /** @description Always true */
            success: boolean;
            message: string;
            output: components["schemas"]["DispatchOutput"];
            error: null;
        };
        DoNotDisturbNumber: {
            /**
             * @description E.164
             * @example +919876543210
             */
            phone_number: string;
            /** @description Source of the entry */
            source: string;
            /** Format: date-time */
            added_at: string;
            /** @description Call in which the person asked not to be called again */
            call_id: string | null;
        };
        DoNotDisturbPage: {
            data: components["schemas"]["DoNotDisturbNumber"][];
            pagination: components["schemas"]["Pagination"];
        };
        DoNotDisturbRemoval: {
            /**
             * @description Phone number in any form that dispatch accepts
             * @example +919876543210
             */
            phone_number: string;
        };
        Done: {
            /**
             * @constant
             * @enum {boolean}
             */
            success: true;
        };
        EndedSessions: {
            /** @description Number of sessions that were ended */
            ended: number;
        };
        Error: {
            detail: components["schemas"]["ErrorDetail"];
        };
        ErrorDetail: {
            /** @description Error code. It never changes, so branch on it */
            code: string;
            /** @description Explanation for people */
            message: string;
        };
        /** @description How a conversation feels and when it ends */
        Experience: {
            /** @description How talking feels */
            conversational_experience?: {
                /** @description Background noise, also in the recording */
                bg_noise?: {
                    /**
                     * @description Whether noise is played, also into the recording
                     * @default false
                     */
                    enabled?: boolean | null;
                    /**
                     * @description Volume of the noise
                     * @default 0.5
                     */
                    volume?: number | null;
                    /**
                     * @description `office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; others sound like an office
                     * @default office
                     */
                    sound?: string | null;
                } | null;
                /** @description Words that fill a pause */
                filler_words?: {
                    /**
                     * @description Share of answers that begin with one of the words, while the model still thinks; 0 = never
                     * @default 0
                     */
                    filler_words_frequency?: number | null;
                    /** @description The words, used in turn */
                    filler_words_list?: string[] | null;
                } | null;
                /**
                 * @description Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s; balanced 1.5 s and fast 1 s where the speaker does not sound finished, which a fast agent hears less often. A fast agent begins its answer before the end of the turn is certain
                 * @default balanced
                 * @enum {string|null}
                 */
                eagerness_to_speak?: "slow" | "balanced" | "fast" | null;
                /** @description Audible breathing. Stored only: its shape is not given */
                breathing_sound?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Waiting for incomplete input: a number of few digits, an "and", a comma. Sounding unfinished is judged as by the next slower agent */
                patience_with_user_entries?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Detected mood to changed behaviour, for the model; the sound of the voice is not used */
                mood_mapping?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
            } | null;
            /** @description When calls warn, end and leave messages */
            settings?: {
                /** @description When nobody speaks */
                idle_conversation_settings?: {
                    /**
                     * @description Ask a quiet user whether they are there, once in a silence
                     * @default false
                     */
                    pulse_check?: boolean | null;
                    /**
                     * @description End the call when the user stays quiet
                     * @default false
                     */
                    end_conversation_on_idle?: boolean | null;
                    /**
                     * @description Silence before the call ends, counted from the warning if there is one. In seconds
                     * @default 20
                     */
                    idle_call_hangup_timeout?: number | null;
                    /**
                     * @description Silence on both sides before the warning. In seconds
                     * @default 10
                     */
                    idle_call_warning_timeout?: number | null;
                    /** @description Said before the call ends */
                    idle_call_hangup_message?: string | null;
                    /**
                     * @description Said as the warning
                     * @default Are you still there?
                     */
                    idle_call_warning_message?: string | null;
                } | null;
                /** @description Ending on a phrase */
                end_call?: {
                    /**
                     * @description Whether a phrase ends the call
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description The phrase, of either side: whole words, any case. It counts when the agent has finished saying it, or has answered it */
                    end_call_phrase?: string | null;
                    /**
                     * @description From the phrase to the end; more than 60 counts as 60. In seconds
                     * @default 2
                     */
                    hangup_timeout?: number | null;
                } | null;
                /** @description Limits of a call */
                call_settings?: {
                    /**
                     * @description Longest talk. In minutes
                     * @default 10
                     */
                    max_call_duration?: number | null;
                    /**
                     * @description Whether this limit applies; else it is 60 minutes
                     * @default true
                     */
                    max_duration_enabled?: boolean | null;
                    /**
                     * @description Detect answering machines on outbound calls, within 12 s, by unbroken speech and by phrases; call screening counts as a person
                     * @default false
                     */
                    enable_voicemail_detection?: boolean | null;
                    /**
                     * @description What to do with an answering machine
                     * @default hang_up
                     * @enum {string|null}
                     */
                    action?: "hang_up" | "leave_message" | null;
                    /** @description The message of leave_message, left once the machine has paused for 1.5 s */
                    end_call_message?: string | null;
                } | null;
                /** @description Recording of the call */
                recording?: {
                    /**
                     * @description Whether the call is recorded
                     * @default true
                     */
                    enabled?: boolean | null;
                    /** @description Said before the greeting of a call that is recorded, not interruptible; may hold {{variables}}. The recording begins behind it; without it there is none */
                    disclosure?: string | null;
                } | null;
            } | null;
        };
        FoundContact: {
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /** @description Row number in the file. The header is row 1 */
            row: number;
            name: string;
            /** @description E.164 */
            phone_number: string;
            /** @enum {string} */
            state: "pending" | "in_progress" | "completed" | "failed" | "duplicate" | "dnd" | "invalid" | "cancelled" | "expired";
        };
        FoundContactPage: {
            data: components["schemas"]["FoundContact"][];
            pagination: components["schemas"]["Pagination"];
        };
        Health: {
            parts: components["schemas"]["PartHealth"][];
        };
        HungUp: {
            /** @description Always true */
            success: boolean;
            call_id: string;
            /** @description Current status. It becomes final once the call has ended */
            call_status: string;
        };
        InputFault: {
            /**
             * @description Path of the field, starting with body, query, path or header
             * @example [
             *       "body",
             *       "agent_id"
             *     ]
             */
            loc: (string | number)[];
            /** @description What is wrong */
            msg: string;
            type: string;
        };
        IssuedApiKey: {
            /** Format: uuid */
            id: string;
            name: string | null;
            /**
             * @description First twelve characters of the key
             * @example vap_Xx1yZ2w3
             */
            prefix: string;
            /** @description Scopes of the key */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * Format: uuid
             * @description Id of the key that created it. Revoking that key also revokes this one. Null if the operator created it
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last use, to the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Null if it never expires
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "valid" | "expired" | "revoked";
            /** @description The key. It is shown only once, because only its hash is stored */
            key: string;
        };
        Json: unknown;
        KeptConversation: {
            /**
             * @description Name shown in the list
             * @example A refund that takes long
             */
            title: string;
            /**
             * @description Template variables, like `metadata` of a dispatch: at most 100 keys and 16 KiB as JSON
             * @default {}
             * @example {
             *       "name": "Asha"
             *     }
             */
            variables?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description Turns in order */
            turns: components["schemas"]["KeptTurn"][];
        };
        KeptConversations: {
            conversations: components["schemas"]["KeptConversation"][];
        };
        KeptTurn: {
            /**
             * @description What the person types. Only the first turn may omit it, for what the agent says on its own
             * @example Where is my refund?
             */
            user?: string;
            expect?: components["schemas"]["TurnExpectations"];
        };
        /** @description A key chosen by the API client, without unpaired surrogates */
        Key: string;
        KeySession: {
            /**
             * Format: uuid
             * @description Identifies the session but does not authenticate it
             */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Client address of the sign-in */
            address: string | null;
            /** @description True for the session of this request */
            is_current: boolean;
        };
        KeySessionList: {
            data: components["schemas"]["KeySession"][];
        };
        Limits: {
            /** @description Maximum number of live calls of the organization */
            max_concurrency: number;
            /** @description How many of these lines callers may use at once */
            caller_lines: number;
            /** @description Number of calls that hold a line now */
            live_calls: number;
            /** @description Number of calls that wait for a line now */
            waiting_calls: number;
            rate_limits: components["schemas"]["RateLimits"];
            brakes: components["schemas"]["Brakes"];
            /** @description E.164 numbers that only this organization may call from and answer */
            numbers: string[];
            /** @description Limits on what the organization may store */
            quotas: components["schemas"]["Quota"][];
            /** @description Scopes of the API key of this request */
            scopes: ("read" | "operate" | "configure")[];
        };
        ListeningSession: {
            /** @description Token for the real-time server. Join within a minute */
            token: string;
            room_name: string;
            /** @description URL to connect to with the token */
            connection_url: string;
        };
        /** @description Merged over the stored configuration for this call only */
        ModifyAgent: {
            persona?: components["schemas"]["Persona"] | null;
            training?: components["schemas"]["Training"] | null;
            experience?: components["schemas"]["Experience"] | null;
            analysis?: components["schemas"]["Analysis"] | null;
        };
        NewApiKey: {
            /** @description Purpose of the key */
            name: string;
            /** @description Scopes of the key. The API key of the request must have all of them */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * @description A date or timestamp in UTC. Default: never, or when the API key of the request expires. Keys created by a console session expire after 90 days
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            expires_at?: string;
        };
        NewDoNotDisturbNumber: {
            /**
             * @description Phone number in any form that dispatch accepts
             * @example +919876543210
             */
            phone_number: string;
            /**
             * @description Source of the entry
             * @default api
             */
            source?: string;
        };
        Pagination: {
            /** @description Number of this page, starting at 1 */
            page: number;
            /** @description Maximum number of items on a page */
            page_size: number;
            /** @description Number of items on all pages. With a filter, counted up to 10,000 */
            total_count: number;
            /** @description Number of pages */
            total_pages: number;
            has_next: boolean;
            has_previous: boolean;
        };
        PartHealth: {
            /** @enum {string} */
            part: "database" | "temporal" | "workers" | "storage" | "livekit" | "carrier";
            /** @enum {string} */
            status: "up" | "degraded" | "down";
            /**
             * @description Null if the part is up. `not_seen`: no worker polls for tasks. `dials_fail`: the carrier fails dials
             * @enum {string|null}
             */
            reason: "no_answer" | "refused" | "read_only" | "not_seen" | "dials_fail" | null;
            /**
             * Format: date-time
             * @description Null if the part is up or the time is unknown
             */
            since: string | null;
        };
        /** @description Who the agent is and how it hears, thinks and speaks */
        Persona: {
            /** @description Who the agent is */
            identity?: {
                /** @description Main prompt, first in the instructions of the model; may hold {{variables}}. An agent without one is `initialized`, not `running` */
                system_prompt?: string | null;
                /** @description Trait to value, for the model */
                personality?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description How the conversation opens */
                greeting_message?: {
                    /** @description Opening text; may hold {{variables}}. Empty: the model begins. A custom-LLM server may greet instead. Without a voice the agent plays a chime and shows the text */
                    agent_message?: string | null;
                    /**
                     * @description Wait before the greeting, if the agent speaks first. In seconds
                     * @default 0
                     */
                    agent_speech_delay?: number | null;
                    /** @description Silence after the first words of the user before the greeting. In seconds. 0.5 unless set */
                    user_speech_delay?: number | null;
                    /**
                     * @description Whether half a second of speech interrupts the opening. When false, speech during the opening is ignored
                     * @default true
                     */
                    interruptible?: boolean | null;
                    /**
                     * @description Whether the agent greets only after the first words of the user. A session with a `welcome_message` is greeted at once
                     * @default false
                     */
                    let_user_speak_first?: boolean | null;
                } | null;
            } | null;
            /** @description Hearing, thinking and speaking */
            senses_capabilities?: {
                /** @description Language code, such as en or hi, for recognition, voice and model */
                language?: string | null;
                /**
                 * @description Detect the language of the user; the model follows it
                 * @default false
                 */
                auto_detect?: boolean | null;
                /** @description Hearing */
                ears?: {
                    /** @description Speech to text */
                    stt?: {
                        /** @description First choice */
                        primary?: {
                            /** @description Speech-to-text provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Language code for recognition; that of the agent unless set */
                            language?: string | null;
                            /** @description Words whose recognition is boosted: Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`), OpenAI-compatible (`prompt`); not Cartesia, Sarvam */
                            keywords?: components["schemas"]["Json"][] | null;
                        } | null;
                        /** @description Recognises the same utterance if the first fails; a stream from the failure on */
                        fallback?: {
                            /** @description Speech-to-text provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Language code for recognition; that of the agent unless set */
                            language?: string | null;
                            /** @description Words whose recognition is boosted: Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`), OpenAI-compatible (`prompt`); not Cartesia, Sarvam */
                            keywords?: components["schemas"]["Json"][] | null;
                        } | null;
                    } | null;
                } | null;
                /** @description Thinking */
                brain?: {
                    /** @description Language model */
                    llm?: {
                        /** @description First choice */
                        primary?: {
                            /** @description Language model provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Sampling, sent with each request; the server decides unless set */
                            parameters?: {
                                /** @description Sampling temperature */
                                temperature?: number | null;
                                /** @description Nucleus sampling */
                                top_p?: number | null;
                                /** @description Longest answer (`max_completion_tokens`). In tokens */
                                max_tokens?: number | null;
                            } | null;
                            /** @description Provider `custom`: address of its server; the call id is appended */
                            url?: string | null;
                            /** @description Provider `custom`: bearer token, shown masked; a mask sent back keeps it */
                            auth_token?: string | null;
                        } | null;
                        /** @description Answers if the first fails, has no first word within five seconds or ends without a word; the first is retried meanwhile */
                        fallback?: {
                            /** @description Language model provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Sampling, sent with each request; the server decides unless set */
                            parameters?: {
                                /** @description Sampling temperature */
                                temperature?: number | null;
                                /** @description Nucleus sampling */
                                top_p?: number | null;
                                /** @description Longest answer (`max_completion_tokens`). In tokens */
                                max_tokens?: number | null;
                            } | null;
                        } | null;
                    } | null;
                    /**
                     * @description Stored only: nothing defines which model serves which language
                     * @default false
                     */
                    auto_detect_llm?: boolean | null;
                } | null;
                /** @description Speaking */
                mouth?: {
                    /** @description Text to speech */
                    tts?: {
                        /** @description First choice */
                        primary?: {
                            /** @description Text-to-speech provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Voice; the `voice` of a telephony dispatch overrides it. Deepgram's voices are models */
                            voice_id?: string | null;
                            /** @description Name of the voice, if there is no `voice_id` */
                            voice_name?: string | null;
                            /** @description `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any) */
                            config?: {
                                [key: string]: components["schemas"]["Json"];
                            } | null;
                        } | null;
                        /** @description Speaks if the first fails */
                        fallback?: {
                            /** @description Text-to-speech provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Voice; the `voice` of a telephony dispatch overrides it. Deepgram's voices are models */
                            voice_id?: string | null;
                            /** @description Name of the voice, if there is no `voice_id` */
                            voice_name?: string | null;
                            /** @description `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any) */
                            config?: {
                                [key: string]: components["schemas"]["Json"];
                            } | null;
                        } | null;
                        /** @description Word to pronunciation: whole words, any case. Captions and transcript keep the word */
                        word_pronunciation_pairs?: {
                            [key: string]: components["schemas"]["Json"];
                        } | null;
                    } | null;
                } | null;
            } | null;
            /** @description Custom actions. Secret headers are shown masked; a mask sent back keeps the secret */
            actions?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Name to text, for the model */
            memories?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Variables for prompts and flows; those of the contact or the dispatch override them */
            metadata?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
        };
        PreviewContactFile: {
            /**
             * Format: binary
             * @description 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
        };
        Quota: {
            /** @enum {string} */
            name: "campaigns" | "contacts" | "contact_file_bytes" | "agents" | "agent_bytes" | "webhook_deliveries" | "dnd_numbers";
            /** @description Amount stored now */
            used: number;
            /** @description Maximum amount; null means unlimited */
            limit: number | null;
        };
        RateLimits: {
            /** @description Dispatches; 0 means unlimited */
            dispatch_per_minute: number;
            /** @description All other requests; 0 means unlimited */
            other_per_minute: number;
        };
        Redelivered: {
            /** @description Number of deliveries that are pending again */
            redelivered: number;
            /** @description Number of further matches left for another request, because of `limit` or because an organization may have at most 1,000 redeliveries in progress */
            skipped: number;
        };
        /** @description At least one field other than `limit` is required. */
        RedeliveryRequest: {
            /**
             * Format: uuid
             * @description Events of this campaign and its calls
             */
            campaign_id?: string;
            /** @description Events of this call */
            call_id?: string;
            /**
             * @description Status of the deliveries. Default: `failed`
             * @enum {string}
             */
            status?: "failed" | "delivered";
            /**
             * @description Events at or after this date or timestamp, in UTC
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            from?: string;
            /**
             * @description Events before this date or timestamp, in UTC
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            to?: string;
            /**
             * @description Maximum number of deliveries to redeliver
             * @default 1000
             */
            limit?: number;
        } | unknown | unknown | unknown | unknown | unknown;
        ReplaceConversations: {
            conversations: components["schemas"]["KeptConversation"][];
        };
        RestoreVersion: {
            /**
             * @description Number of the version to restore
             * @example 1
             */
            version: number;
        };
        RotatedSecret: {
            /** Format: uuid */
            id: string;
            /** @description The secret. It is shown only once */
            secret: string;
            /**
             * Format: date-time
             * @description Latest time at which older secrets expire
             */
            older_sign_until: string;
        };
        SecretRotation: {
            /**
             * @description Hours during which the old secret still signs beside the new one. 0 expires all old secrets at once
             * @default 24
             */
            overlap_hours?: number;
        };
        SectionUpdated: {
            /**
             * @constant
             * @enum {boolean}
             */
            success: true;
            /**
             * @description Names the updated section
             * @example Persona section updated successfully
             */
            message: string;
        };
        SessionDispatch: {
            /**
             * @description Id or `agent_name` of the agent
             * @example check-up-reminder
             */
            agent_id: string;
            /**
             * @description Template variables for the agent's prompt: at most 100 keys and 16 KiB as JSON
             * @default {}
             * @example {
             *       "city": "Pune"
             *     }
             */
            metadata?: {
                [key: string]: components["schemas"]["Json"];
            };
            modify_agent?: components["schemas"]["ModifyAgent"] | null;
            /**
             * @default female
             * @enum {string}
             */
            voice_gender?: "male" | "female";
            /** @default hi */
            primary_language?: string;
            /** @default en */
            secondary_language?: string;
            /** @description Overrides the default greeting */
            welcome_message?: string;
            /** @default true */
            welcome_interruptible?: boolean;
            /** @default false */
            bg_noise_enabled?: boolean;
            /** @default 60 */
            bg_noise_volume?: number;
            /** @default 1 */
            voice_speed?: number;
            /**
             * @description A browser session
             * @constant
             * @enum {string}
             */
            medium: "webrtc";
        };
        SimulateCampaign: {
            /**
             * Format: binary
             * @description 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name: string;
            /**
             * @description Maximum number of live calls, up to the organization's maximum
             * @example 2
             */
            concurrency: number;
            /**
             * Format: date
             * @description First day, in UTC
             * @example 2026-11-02
             */
            from_date: string;
            /**
             * Format: date
             * @description Last day, in UTC
             * @example 2099-12-31
             */
            to_date: string;
            /**
             * @description Start of the daily window in UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time: string;
            /**
             * @description End of the daily window in UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Maximum number of attempts per contact, 1-10. 1 means no redial
             * @default 3
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of an attempt to the next one, 0-1440
             * @default 30
             * @example 30
             */
            retry_delay_mins?: number;
            /**
             * @description Comma-separated e-mail addresses, at most 5
             * @default []
             */
            notification_emails?: string;
            /**
             * @description URL for events of the campaign
             * @default null
             */
            campaign_webhook_url?: string;
            /**
             * @description URL for events of each call
             * @default null
             */
            per_call_webhook_url?: string;
            /** @description Id or `agent_name` of the agent */
            agent_id: string;
            /**
             * @description If true, contacts on the do-not-disturb list are not called
             * @default false
             */
            perform_dnd_check?: boolean;
            /**
             * @description Share of first attempts that are answered, voicemail included
             * @default 0.6
             * @example 0.6
             */
            assumed_answer_rate?: number;
            /**
             * @description Share of redials that are answered. Default: the share of first attempts
             * @example 0.4
             */
            assumed_redial_answer_rate?: number;
            /**
             * @description Talk time of an answered call, in seconds. Limited by the agent's maximum call duration
             * @default 60
             * @example 90
             */
            assumed_talk_seconds?: number;
            /**
             * @description Seconds from the dial to the answer, or to the end of an unanswered attempt
             * @default 15
             * @example 15
             */
            assumed_ring_seconds?: number;
            /**
             * @description Share of contacts on a do-not-disturb list. Used only with perform_dnd_check
             * @default 0
             * @example 0.05
             */
            assumed_dnd_rate?: number;
            /**
             * @description Simulated time of creation. Default: now
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            starts_at?: string;
        };
        SimulatedCampaign: {
            /**
             * @description paused if a daily spend limit would stop it until a person resumes it
             * @enum {string}
             */
            status: "completed" | "paused";
            /** Format: date-time */
            finishes_at: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /** @description Number of attempts */
            total_calls: number;
            answered_calls: number;
            /** @description Maximum number of live calls */
            peak_lines: number;
            /** @description Cost in credits */
            cost: number;
            lines: {
                /** @description The lower of the campaign's concurrency and the organization's maximum */
                used_at_most: number;
                campaign: number;
                organization: number;
                /** @description Explains the assumption that all lines are free */
                assumption: string;
            };
            /** @description Number of contacts by final state. They add up to total */
            contacts: {
                total: number;
                /** @description Answered, voicemail included */
                completed: number;
                /** @description Not answered by the last attempt */
                failed: number;
                duplicate: number;
                dnd: number;
                expired: number;
                /** @description 0 unless a spend limit stops the campaign */
                pending: number;
            };
            /** @description Contacts for which there is no time before the last window ends */
            expired: {
                total: number;
                /** @description Contacts without any attempt. The others had no time left for a redial */
                never_dialled: number;
                /** @description Row numbers of the first hundred */
                rows: number[];
            };
            /** @description First 5,000 days with an attempt */
            calls_per_day: components["schemas"]["SimulatedPeriod"][];
            /** @description Number of days with an attempt */
            calls_per_day_total: number;
            /** @description First 5,000 hours with an attempt */
            calls_per_hour: components["schemas"]["SimulatedPeriod"][];
            /** @description Number of hours with an attempt */
            calls_per_hour_total: number;
            /** @description Assumptions of the request, with defaults */
            assumptions: {
                /** Format: date-time */
                starts_at: string;
                assumed_answer_rate: number;
                assumed_redial_answer_rate: number;
                assumed_talk_seconds: number;
                assumed_ring_seconds: number;
                assumed_dnd_rate: number;
                credits_per_minute: number;
                /** @description The platform's limit per trunk; null means unlimited */
                calls_per_second: number | null;
                /** @description Credits per day at which a spend limit stops the campaign; null means unlimited */
                spend_per_day: number | null;
            };
        };
        SimulatedPeriod: {
            /**
             * Format: date-time
             * @description Start of the day or hour, in UTC
             */
            from: string;
            /** @description Attempts that start in this period */
            calls: number;
            answered: number;
        };
        /** @description All sections as stored. Unset ones are empty */
        StoredAgentConfig: {
            persona: Record<string, never>;
            training: Record<string, never>;
            experience: Record<string, never>;
            analysis: Record<string, never>;
            deployment: Record<string, never>;
        };
        /** @description What the agent knows */
        Training: {
            /** @description Retrieval */
            knowledge?: {
                /**
                 * @description Whether up to four passages of questions and knowledge that fit the words of the user are given to the model before each turn
                 * @default false
                 */
                use_rag?: boolean | null;
                /** @description Knowledge for `use_rag`: name to text, or to such a map, four levels deep; a million characters together. Addresses and files are not fetched */
                rag_knowledge_base_dict?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
            } | null;
            /** @description What the agent has learnt */
            know_how?: {
                /** @description Question to answer. Without `use_rag` part of the instructions, up to 12,000 characters; an agent without a model answers from it */
                faq?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Pain point to its resolution, for the model */
                pain_points?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description What the agent must not talk about */
                guardrails?: {
                    /**
                     * @description `basic`: refuses what is switched on. `medium`: in the words of the user too; the model is asked to lead back, to make nothing up and to keep its role. `strict`: everything, and orders to forget the instructions. Any other word acts as medium
                     * @default basic
                     */
                    level?: string | null;
                    /**
                     * @description Refuse violence: such sentences of the agent are replaced, and the model is asked to avoid it
                     * @default false
                     */
                    violence?: boolean | null;
                    /**
                     * @description Refuse sexual content
                     * @default false
                     */
                    sexual?: boolean | null;
                    /**
                     * @description Refuse threats (spelled so by existing clients)
                     * @default false
                     */
                    threatning?: boolean | null;
                    /** @description Rules of the organisation */
                    custom_rules?: {
                        /** @description Name of the rule */
                        name?: string | null;
                        /** @description Phrases that trigger it: whole words, any case and punctuation */
                        triggers?: string[] | null;
                        /**
                         * @description Whether the rule applies
                         * @default true
                         */
                        active?: boolean | null;
                        /**
                         * @description What is done then; any other word acts as block
                         * @default block
                         */
                        handlingType?: string | null;
                        /** @description What the agent says then */
                        response?: string | null;
                    }[] | null;
                } | null;
            } | null;
        };
        Transcript: {
            call_id: string;
            /** @description Lines prefixed AGENT: and USER: */
            transcript: string;
            segments: components["schemas"]["TranscriptSegment"][];
        };
        TranscriptSegment: {
            /** @enum {string} */
            speaker: "agent" | "user";
            text: string;
            start_ms: number;
            end_ms: number;
        };
        /**
         * @description All of them must be met. Same names and meanings as in conversation files
         * @default {}
         */
        TurnExpectations: {
            /**
             * @description The agent says all of these texts, in any case
             * @example [
             *       "paid"
             *     ]
             */
            contains?: string[];
            /** @description The agent says at least one of these texts */
            contains_any?: string[];
            /**
             * @description The agent says none of these texts
             * @example [
             *       "sorry"
             *     ]
             */
            not_contains?: string[];
            /** @description true: the agent says nothing. false: it says something */
            says_nothing?: boolean;
            /** @description Maximum number of words the agent says */
            max_words?: number;
            /** @description true: the agent ends the call. false: it does not */
            ends?: boolean;
        };
        UpdatedCampaign: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Start of the daily window in UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description End of the daily window in UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            call_concurrency: number;
            /** Format: date-time */
            updated_at: string;
        };
        UsedModel: {
            /**
             * @description Speech-to-text, language model or text-to-speech
             * @enum {string}
             */
            kind: "stt" | "llm" | "tts";
            provider: string;
            model: string;
            /**
             * @description Purpose of the usage
             * @enum {string}
             */
            purpose: "conversation" | "analysis";
            input_tokens: number;
            /** @description Input tokens that the provider had cached */
            cached_tokens: number;
            output_tokens: number;
            characters: number;
            audio_ms: number;
            requests: number;
            /** @description In the currency of the operator's rates. Null if there is no rate for the model */
            cost: number | null;
        };
        ValidationError: {
            detail: components["schemas"]["InputFault"][];
        };
        VersionRestored: {
            /**
             * @constant
             * @enum {boolean}
             */
            success: true;
            /** @description Number of the new current version */
            version: number;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Id of the event. The same in every retry and redelivery
             */
            event_id: string;
            /**
             * @description Name of the event
             * @example call.completed
             */
            event: string;
            url: string;
            /** Format: uuid */
            campaign_id: string | null;
            call_id: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        WebhookDeliveryDetails: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Id of the event. The same in every retry and redelivery
             */
            event_id: string;
            /**
             * @description Name of the event
             * @example call.completed
             */
            event: string;
            url: string;
            /** Format: uuid */
            campaign_id: string | null;
            call_id: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Exact JSON body as it is signed and sent. Transcripts, summaries and contacts that were erased since then are empty */
            body: string;
        };
        /** @description Does not contain the secret itself. */
        WebhookSecret: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Signs webhooks until then. Null if it does not expire
             */
            expires_at: string | null;
            /** @enum {string} */
            state: "valid" | "expired";
        };
        WebhookSecrets: {
            data: components["schemas"]["WebhookSecret"][];
        };
        CampaignStatusChangedEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "campaign.status_changed";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last that was announced
             * @enum {string}
             */
            old_status: "active" | "paused" | "completed" | "cancelled";
            /** @enum {string} */
            new_status: "active" | "paused" | "completed" | "cancelled";
            /** Format: date-time */
            timestamp: string;
            stats: components["schemas"]["CampaignStats"];
            /** @description Why a brake paused it; absent where a person did */
            status_reason?: string;
        };
        CampaignCompletedEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "campaign.completed";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last that was announced
             * @enum {string}
             */
            old_status: "active" | "paused" | "completed" | "cancelled";
            /** @enum {string} */
            new_status: "active" | "paused" | "completed" | "cancelled";
            /** Format: date-time */
            timestamp: string;
            stats: components["schemas"]["CampaignStats"];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string;
        };
        CampaignCancelledEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "campaign.cancelled";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last that was announced
             * @enum {string}
             */
            old_status: "active" | "paused" | "completed" | "cancelled";
            /** @enum {string} */
            new_status: "active" | "paused" | "completed" | "cancelled";
            /** Format: date-time */
            timestamp: string;
            stats: components["schemas"]["CampaignStats"];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string;
        };
        CallCompletedEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "call.completed";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            call_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            contact: {
                name: string;
                /** @description E.164 */
                phone: string;
            };
            /** @description As in the call history */
            call_status: string;
            /** @description Of talk */
            call_duration_seconds: number;
            /** @description The business result, else call_status */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed AGENT: and USER:; empty for a call that was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description true on a call that the person had asked for in an earlier one; else absent */
            is_callback?: boolean;
            /** @description true where the person wants no more calls; else absent */
            do_not_call?: boolean;
        };
        CallNoAnswerEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "call.no_answer";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            call_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            contact: {
                name: string;
                /** @description E.164 */
                phone: string;
            };
            /** @description As in the call history */
            call_status: string;
            /** @description Of talk */
            call_duration_seconds: number;
            /** @description The business result, else call_status */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed AGENT: and USER:; empty for a call that was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description true on a call that the person had asked for in an earlier one; else absent */
            is_callback?: boolean;
            /** @description true where the person wants no more calls; else absent */
            do_not_call?: boolean;
            /** @description Which dial of the contact this was; of a callback the last before it */
            attempt: number;
            max_attempts: number;
            failure_reason: string;
            /** @description Whether the contact is dialled again */
            will_retry: boolean;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        CallFailedEvent: {
            /**
             * @constant
             * @enum {string}
             */
            event: "call.failed";
            /**
             * Format: uuid
             * @description The same in every retry and redelivery: drop what was seen
             */
            event_id: string;
            call_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            contact: {
                name: string;
                /** @description E.164 */
                phone: string;
            };
            /** @description As in the call history */
            call_status: string;
            /** @description Of talk */
            call_duration_seconds: number;
            /** @description The business result, else call_status */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed AGENT: and USER:; empty for a call that was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description true on a call that the person had asked for in an earlier one; else absent */
            is_callback?: boolean;
            /** @description true where the person wants no more calls; else absent */
            do_not_call?: boolean;
            /** @description Which dial of the contact this was; of a callback the last before it */
            attempt: number;
            max_attempts: number;
            failure_reason: string;
            /** @description Whether the contact is dialled again */
            will_retry: boolean;
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        WebhookEvent: components["schemas"]["CampaignStatusChangedEvent"] | components["schemas"]["CampaignCompletedEvent"] | components["schemas"]["CampaignCancelledEvent"] | components["schemas"]["CallCompletedEvent"] | components["schemas"]["CallNoAnswerEvent"] | components["schemas"]["CallFailedEvent"];
        ConnectedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "connected";
            call_id: string;
            /** @description `call_status` as in the call history */
            call_status: string;
            /**
             * Format: date-time
             * @description Null until the call is answered
             */
            answered_at: string | null;
        };
        CaptionSegment: {
            /** @description Unique for a final segment. Interim segments of a speaker share one id for what is being said right now */
            id: string;
            call_id: string;
            /** @enum {string} */
            event_type: "final" | "interim";
            /** @enum {string} */
            speaker: "agent" | "user";
            text: string;
            /** @description Seconds since the epoch: start of the speech or, for an interim segment, time of the report */
            timestamp: number;
            is_final: boolean;
            segment_index: number;
            was_interrupted: boolean;
            /** @description 0 to 1 */
            confidence: number | null;
            language: string | null;
            /** @description Position to resume from with ?after=. Null for an interim segment */
            seq: number | null;
        };
        HistoryFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "history";
            call_id: string;
            segments: components["schemas"]["CaptionSegment"][];
        };
        CallStartedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "call_started";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
        };
        TranscriptFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "transcript";
            call_id: string;
            segment: components["schemas"]["CaptionSegment"];
        };
        TurnStartedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "turn_started";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
            /** @enum {string} */
            speaker: "agent" | "user";
        };
        TurnEndedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "turn_ended";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
            /** @enum {string} */
            speaker: "agent" | "user";
        };
        AgentThinkingFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "agent_thinking";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
        };
        InterruptedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "interrupted";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
        };
        CallEndedFrame: {
            /**
             * @constant
             * @enum {string}
             */
            type: "call_ended";
            call_id: string;
            /** @description Seconds since the epoch */
            timestamp: number;
            /** @description `call_status` as in the call history */
            call_status: string;
        };
        CaptionFrame: components["schemas"]["ConnectedFrame"] | components["schemas"]["HistoryFrame"] | components["schemas"]["CallStartedFrame"] | components["schemas"]["TranscriptFrame"] | components["schemas"]["TurnStartedFrame"] | components["schemas"]["TurnEndedFrame"] | components["schemas"]["AgentThinkingFrame"] | components["schemas"]["InterruptedFrame"] | components["schemas"]["CallEndedFrame"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Agent = components['schemas']['Agent'];
export type AgentConfig = components['schemas']['AgentConfig'];
export type AgentPage = components['schemas']['AgentPage'];
export type AgentVersion = components['schemas']['AgentVersion'];
export type AgentVersionPage = components['schemas']['AgentVersionPage'];
export type AgentWithConfig = components['schemas']['AgentWithConfig'];
export type AllPaused = components['schemas']['AllPaused'];
export type AllResumed = components['schemas']['AllResumed'];
export type Analysis = components['schemas']['Analysis'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type Brakes = components['schemas']['Brakes'];
export type BrowserSession = components['schemas']['BrowserSession'];
export type Call = components['schemas']['Call'];
export type CallDetails = components['schemas']['CallDetails'];
export type CallPage = components['schemas']['CallPage'];
export type CallUsage = components['schemas']['CallUsage'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignDetail = components['schemas']['CampaignDetail'];
export type CampaignEdit = components['schemas']['CampaignEdit'];
export type CampaignEditForm = components['schemas']['CampaignEditForm'];
export type CampaignError = components['schemas']['CampaignError'];
export type CampaignListItem = components['schemas']['CampaignListItem'];
export type CampaignOutcome = components['schemas']['CampaignOutcome'];
export type CampaignPage = components['schemas']['CampaignPage'];
export type CampaignPagination = components['schemas']['CampaignPagination'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignStanding = components['schemas']['CampaignStanding'];
export type CampaignStats = components['schemas']['CampaignStats'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type CompletionMail = components['schemas']['CompletionMail'];
export type ConsoleSession = components['schemas']['ConsoleSession'];
export type ConsoleSignIn = components['schemas']['ConsoleSignIn'];
export type Contact = components['schemas']['Contact'];
export type ContactAttempt = components['schemas']['ContactAttempt'];
export type ContactFileColumn = components['schemas']['ContactFileColumn'];
export type ContactFileFault = components['schemas']['ContactFileFault'];
export type ContactFilePreview = components['schemas']['ContactFilePreview'];
export type ContactFileRow = components['schemas']['ContactFileRow'];
export type ContactNextStep = components['schemas']['ContactNextStep'];
export type ContactPage = components['schemas']['ContactPage'];
export type CreateAgent = components['schemas']['CreateAgent'];
export type CreateCampaign = components['schemas']['CreateCampaign'];
export type CreatedAgent = components['schemas']['CreatedAgent'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type Deployment = components['schemas']['Deployment'];
export type DeploymentUpdate = components['schemas']['DeploymentUpdate'];
export type Dispatch = components['schemas']['Dispatch'];
export type DispatchError = components['schemas']['DispatchError'];
export type DispatchOutput = components['schemas']['DispatchOutput'];
export type Dispatched = components['schemas']['Dispatched'];
export type DoNotDisturbNumber = components['schemas']['DoNotDisturbNumber'];
export type DoNotDisturbPage = components['schemas']['DoNotDisturbPage'];
export type DoNotDisturbRemoval = components['schemas']['DoNotDisturbRemoval'];
export type Done = components['schemas']['Done'];
export type EndedSessions = components['schemas']['EndedSessions'];
export type Error = components['schemas']['Error'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Experience = components['schemas']['Experience'];
export type FoundContact = components['schemas']['FoundContact'];
export type FoundContactPage = components['schemas']['FoundContactPage'];
export type Health = components['schemas']['Health'];
export type HungUp = components['schemas']['HungUp'];
export type InputFault = components['schemas']['InputFault'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type Json = components['schemas']['Json'];
export type KeptConversation = components['schemas']['KeptConversation'];
export type KeptConversations = components['schemas']['KeptConversations'];
export type KeptTurn = components['schemas']['KeptTurn'];
export type Key = components['schemas']['Key'];
export type KeySession = components['schemas']['KeySession'];
export type KeySessionList = components['schemas']['KeySessionList'];
export type Limits = components['schemas']['Limits'];
export type ListeningSession = components['schemas']['ListeningSession'];
export type ModifyAgent = components['schemas']['ModifyAgent'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewDoNotDisturbNumber = components['schemas']['NewDoNotDisturbNumber'];
export type Pagination = components['schemas']['Pagination'];
export type PartHealth = components['schemas']['PartHealth'];
export type Persona = components['schemas']['Persona'];
export type PreviewContactFile = components['schemas']['PreviewContactFile'];
export type Quota = components['schemas']['Quota'];
export type RateLimits = components['schemas']['RateLimits'];
export type Redelivered = components['schemas']['Redelivered'];
export type RedeliveryRequest = components['schemas']['RedeliveryRequest'];
export type ReplaceConversations = components['schemas']['ReplaceConversations'];
export type RestoreVersion = components['schemas']['RestoreVersion'];
export type RotatedSecret = components['schemas']['RotatedSecret'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SectionUpdated = components['schemas']['SectionUpdated'];
export type SessionDispatch = components['schemas']['SessionDispatch'];
export type SimulateCampaign = components['schemas']['SimulateCampaign'];
export type SimulatedCampaign = components['schemas']['SimulatedCampaign'];
export type SimulatedPeriod = components['schemas']['SimulatedPeriod'];
export type StoredAgentConfig = components['schemas']['StoredAgentConfig'];
export type Training = components['schemas']['Training'];
export type Transcript = components['schemas']['Transcript'];
export type TranscriptSegment = components['schemas']['TranscriptSegment'];
export type TurnExpectations = components['schemas']['TurnExpectations'];
export type UpdatedCampaign = components['schemas']['UpdatedCampaign'];
export type UsedModel = components['schemas']['UsedModel'];
export type ValidationError = components['schemas']['ValidationError'];
export type VersionRestored = components['schemas']['VersionRestored'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryDetails = components['schemas']['WebhookDeliveryDetails'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookSecrets = components['schemas']['WebhookSecrets'];
export type CampaignStatusChangedEvent = components['schemas']['CampaignStatusChangedEvent'];
export type CampaignCompletedEvent = components['schemas']['CampaignCompletedEvent'];
export type CampaignCancelledEvent = components['schemas']['CampaignCancelledEvent'];
export type CallCompletedEvent = components['schemas']['CallCompletedEvent'];
export type CallNoAnswerEvent = components['schemas']['CallNoAnswerEvent'];
export type CallFailedEvent = components['schemas']['CallFailedEvent'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type ConnectedFrame = components['schemas']['ConnectedFrame'];
export type CaptionSegment = components['schemas']['CaptionSegment'];
export type HistoryFrame = components['schemas']['HistoryFrame'];
export type CallStartedFrame = components['schemas']['CallStartedFrame'];
export type TranscriptFrame = components['schemas']['TranscriptFrame'];
export type TurnStartedFrame = components['schemas']['TurnStartedFrame'];
export type TurnEndedFrame = components['schemas']['TurnEndedFrame'];
export type AgentThinkingFrame = components['schemas']['AgentThinkingFrame'];
export type InterruptedFrame = components['schemas']['InterruptedFrame'];
export type CallEndedFrame = components['schemas']['CallEndedFrame'];
export type CaptionFrame = components['schemas']['CaptionFrame'];
export type $defs = Record<string, never>;
export interface operations {
    postCreateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            /** @description The new agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAgent"];
                };
            };
        };
    };
    getAgents: {
        parameters: {
            query?: {
                /** @description Part of the display name or slug */
                search?: string;
                /** @description Number of the page, starting at 1. If omitted, the response is a bare array of all agents */
                page?: number;
                /** @description Maximum number of agents on a page */
                page_size?: number;
                /** @description If true, only published agents are returned */
                published_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents, or all agents if page is omitted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"] | components["schemas"]["Agent"][];
                };
            };
        };
    };
    getAgentAgentId: {
        parameters: {
            query?: {
                /** @description Returns `config` of this version. All other fields are current */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentWithConfig"];
                };
            };
        };
    };
    deleteAgentAgentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is archived */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    patchAgentAgentIdPersona: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Persona"];
            };
        };
        responses: {
            /** @description The section is updated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionUpdated"];
                };
            };
        };
    };
    patchAgentAgentIdTraining: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Training"];
            };
        };
        responses: {
            /** @description The section is updated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionUpdated"];
                };
            };
        };
    };
    patchAgentAgentIdExperience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Experience"];
            };
        };
        responses: {
            /** @description The section is updated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionUpdated"];
                };
            };
        };
    };
    patchAgentAgentIdAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Analysis"];
            };
        };
        responses: {
            /** @description The section is updated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionUpdated"];
                };
            };
        };
    };
    patchAgentAgentIdDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeploymentUpdate"];
            };
        };
        responses: {
            /** @description The section is updated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionUpdated"];
                };
            };
        };
    };
    getAgentAgentIdVersions: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionPage"];
                };
            };
        };
    };
    postAgentAgentIdRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreVersion"];
            };
        };
        responses: {
            /** @description The version that is now current */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionRestored"];
                };
            };
        };
    };
    getAgentAgentIdConversations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored conversations, possibly none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptConversations"];
                };
            };
        };
    };
    putAgentAgentIdConversations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceConversations"];
            };
        };
        responses: {
            /** @description The conversations are stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    postTriggerCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Forwarded to a custom-LLM server. This is not the agent's id */
                "X-Agent-Id"?: string;
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the first response again and creates nothing. Use a new key for each request, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Dispatch"] | components["schemas"]["SessionDispatch"];
            };
        };
        responses: {
            /** @description The accepted call, or the credentials of the browser session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatched"] | components["schemas"]["BrowserSession"];
                };
            };
        };
    };
    getCallHistory: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Calls of this agent */
                agent_id?: string;
                /** @description Calls of this campaign */
                campaign_id?: string;
                /** @description The call with this id */
                call_id?: string;
                /** @description Calls with this call_status */
                status?: string;
                /** @description Calls accepted at or after this date or timestamp, in UTC */
                from?: string;
                /** @description Calls accepted before this date or timestamp, in UTC */
                to?: string;
                /** @description Processed calls whose transcript contains all these words, whole, in any order and case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallPage"];
                };
            };
        };
    };
    getCallDetailsCallId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the call */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The details. Fixed texts until the call is post-processed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetails"];
                };
            };
        };
    };
    postCallsCallIdHangup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the call */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Current status of the call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HungUp"];
                };
            };
        };
    };
    postCallsCallIdListen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the call */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A token for the room of the call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListeningSession"];
                };
            };
        };
    };
    getTranscriptCallId: {
        parameters: {
            query?: {
                /** @description Overrides the Accept header */
                format?: "json" | "text";
            };
            header?: never;
            path: {
                /** @description Identifier of the call */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                    "text/plain": string;
                };
            };
        };
    };
    getStreamCallId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Part of the file, such as bytes=0-99999 */
                Range?: string;
                /** @description ETag of the file that Range refers to. If it has changed, the whole file is returned */
                "If-Range"?: string;
            };
            path: {
                /** @description Identifier of the call */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audio */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                    "audio/ogg": string;
                };
            };
            /** @description The audio: the part that Range names */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                    "audio/ogg": string;
                };
            };
        };
    };
    postCampaignsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, a request with the same key gets the first response again and creates nothing. Use a new key for each request, such as a UUID */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateCampaign"];
            };
        };
        responses: {
            /** @description The new campaign */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    postCampaignsSimulate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["SimulateCampaign"];
            };
        };
        responses: {
            /** @description The simulated campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatedCampaign"];
                };
            };
        };
    };
    getCampaignsCampaignIdForecast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The forecast */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatedCampaign"];
                };
            };
        };
    };
    postCampaignsContactFilePreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PreviewContactFile"];
            };
        };
        responses: {
            /** @description The preview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFilePreview"];
                };
            };
        };
    };
    getCampaigns: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Campaigns with this status */
                status?: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    getCampaignsCampaignId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    putCampaignsCampaignId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignEdit"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignEditForm"];
                "multipart/form-data": components["schemas"]["CampaignEditForm"];
            };
        };
        responses: {
            /** @description The updated campaign, which is now paused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedCampaign"];
                };
            };
        };
    };
    postCampaignsCampaignIdPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Current status of the campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStanding"];
                };
            };
        };
    };
    postCampaignsCampaignIdResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Current status of the campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStanding"];
                };
            };
        };
    };
    postCampaignsCampaignIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Current status of the campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStanding"];
                };
            };
        };
    };
    postCampaignsPauseAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of campaigns paused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllPaused"];
                };
            };
        };
    };
    postCampaignsResumeAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of campaigns resumed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllResumed"];
                };
            };
        };
    };
    getCampaignsCampaignIdContacts: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Contacts in this state */
                state?: "pending" | "in_progress" | "completed" | "failed" | "duplicate" | "dnd" | "invalid" | "cancelled" | "expired";
                /** @description A phone number in any form that dispatch accepts, or the beginning of a name */
                search?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    getContacts: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description A phone number in any form that dispatch accepts, or the beginning of a name */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundContactPage"];
                };
            };
        };
    };
    getCampaignsCampaignIdFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.ms-excel": string;
                };
            };
        };
    };
    getCampaignsCampaignIdReport: {
        parameters: {
            query?: {
                /** @description Format of the file */
                format?: "csv" | "xlsx";
            };
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    getLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events with the progress of one campaign each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    getCampaignsCampaignIdLive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the campaign */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events with the progress of the campaign */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    getWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Events of this campaign and its calls */
                campaign_id?: string;
                /** @description Events of this call */
                call_id?: string;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    getWebhookDeliveriesDeliveryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the delivery */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
        };
    };
    postWebhookDeliveriesRedeliver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliveryRequest"];
            };
        };
        responses: {
            /** @description Number of deliveries */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivered"];
                };
            };
        };
    };
    postWebhookDeliveriesDeliveryIdRedeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the delivery */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is pending again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    getWebhookSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last 50 secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecrets"];
                };
            };
        };
    };
    postWebhookSecretsRotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The new secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limits"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Health of each part */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getDoNotDisturb: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Phone number in any form that dispatch accepts */
                phone_number?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of numbers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoNotDisturbPage"];
                };
            };
        };
    };
    postDoNotDisturb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDoNotDisturbNumber"];
            };
        };
        responses: {
            /** @description The entry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoNotDisturbNumber"];
                };
            };
        };
    };
    postDoNotDisturbRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DoNotDisturbRemoval"];
            };
        };
        responses: {
            /** @description The number is not on the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    getKeys: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    postKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    postKeysKeyIdRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    getKeysKeyIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 50 sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySessionList"];
                };
            };
        };
    };
    postKeysKeyIdSessionsEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of ended sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    postKeysSessionsSessionIdEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of ended sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected */
                page?: number;
                /** @description Maximum number of items on a page */
                page_size?: number;
                /** @description Type of actor: an API key, an operator of the service, an agent, or a visitor whose sign-in failed */
                actor_kind?: "api_key" | "operator" | "agent" | "visitor";
                /** @description Id of the API key or agent */
                actor_id?: string;
                action?: "agent.archive" | "agent.conversations" | "agent.create" | "agent.restore" | "agent.update" | "call.dispatch" | "call.hangup" | "call.listen" | "call.transfer" | "call.transfer_refused" | "campaign.cancel" | "campaign.create" | "campaign.pause" | "campaign.pause_all" | "campaign.resume" | "campaign.resume_all" | "campaign.update" | "console.link" | "console.sign_in" | "console.sign_in_failed" | "delivery.redeliver" | "dnd.add" | "dnd.clear" | "dnd.import" | "dnd.remove" | "key.create" | "key.expire" | "key.revoke" | "mail.confirm" | "mail.remove" | "number.add" | "number.import" | "number.remove" | "org.create" | "org.update" | "person.erase" | "secret.create" | "secret.revoke" | "secret.rotate" | "secrets.re-encrypt" | "session.end" | "storage.move";
                /** @description Id of the changed object */
                subject_id?: string;
                /** @description Changes at or after this date or timestamp, in UTC */
                from?: string;
                /** @description Changes before this date or timestamp, in UTC */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audit entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    getConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
        };
    };
    postConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSignIn"];
            };
        };
        responses: {
            /** @description The new session. Its cookie is set */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
        };
    };
    deleteConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended and its cookie is removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** Of the operations that need something of the client, by method and path. */
export const REQUESTS = {
  "post /api/trigger-call/": {
    "idempotencyKey": true
  },
  "post /api/campaigns/create": {
    "form": true,
    "idempotencyKey": true
  },
  "post /api/campaigns/simulate": {
    "form": true,
    "reads": true
  },
  "post /api/campaigns/contact-file/preview": {
    "form": true
  }
} as const;

/** Of a call, progress first. */
export const CALL_STATUSES = [
  "queued",
  "dialing",
  "ringing",
  "in progress",
  "completed",
  "User disconnected",
  "voicemail",
  "no answer",
  "busy",
  "rejected",
  "failed",
  "error",
  "DND",
  "cancelled",
  "expired"
] as const;

/** Of a campaign. */
export const CAMPAIGN_STATUSES = [
  "scheduled",
  "active",
  "paused",
  "paused_out_of_range",
  "completed",
  "cancelled"
] as const;

/** Of a contact. */
export const CONTACT_STATES = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "duplicate",
  "dnd",
  "invalid",
  "cancelled",
  "expired"
] as const;

/** Of the audit. */
export const AUDIT_ACTIONS = [
  "agent.archive",
  "agent.conversations",
  "agent.create",
  "agent.restore",
  "agent.update",
  "call.dispatch",
  "call.hangup",
  "call.listen",
  "call.transfer",
  "call.transfer_refused",
  "campaign.cancel",
  "campaign.create",
  "campaign.pause",
  "campaign.pause_all",
  "campaign.resume",
  "campaign.resume_all",
  "campaign.update",
  "console.link",
  "console.sign_in",
  "console.sign_in_failed",
  "delivery.redeliver",
  "dnd.add",
  "dnd.clear",
  "dnd.import",
  "dnd.remove",
  "key.create",
  "key.expire",
  "key.revoke",
  "mail.confirm",
  "mail.remove",
  "number.add",
  "number.import",
  "number.remove",
  "org.create",
  "org.update",
  "person.erase",
  "secret.create",
  "secret.revoke",
  "secret.rotate",
  "secrets.re-encrypt",
  "session.end",
  "storage.move"
] as const;

export type ErrorCode =
  | "AGENT_NOT_FOUND"
  | "CALL_NOT_AUDIBLE"
  | "CALL_NOT_FOUND"
  | "CAMPAIGN_NOT_EDITABLE"
  | "CAMPAIGN_NOT_FOUND"
  | "CAMPAIGN_NOT_PAUSED"
  | "CONCURRENCY_EXCEEDED"
  | "CSRF_TOKEN_INVALID"
  | "DELIVERY_NOT_FOUND"
  | "FILE_NOT_FOUND"
  | "FILE_TOO_LARGE"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "IDEMPOTENCY_KEY_REUSED"
  | "INSUFFICIENT_SCOPE"
  | "INTERNAL_ERROR"
  | "INVALID_API_KEY"
  | "INVALID_CONTACT_FILE"
  | "INVALID_DATE_RANGE"
  | "INVALID_ENCODING"
  | "INVALID_RETRY_CONFIG"
  | "INVALID_SESSION"
  | "INVALID_SIGNATURE"
  | "INVALID_SIGN_IN_TOKEN"
  | "INVALID_TIME_WINDOW"
  | "KEY_NOT_FOUND"
  | "MISSING_API_KEY"
  | "NO_CONTACTS"
  | "NO_DAYS_SELECTED"
  | "NO_FIELDS_TO_UPDATE"
  | "NUMBER_IN_USE"
  | "NUMBER_NOT_YOURS"
  | "OUTBOUND_NUMBER_NOT_ALLOWED"
  | "PAYLOAD_TOO_LARGE"
  | "QUOTA_EXCEEDED"
  | "RANGE_NOT_SATISFIABLE"
  | "RATE_LIMITED"
  | "REALTIME_NOT_CONFIGURED"
  | "RECORDING_NOT_FOUND"
  | "SERVICE_UNAVAILABLE"
  | "SESSION_NOT_FOUND"
  | "SPEND_LIMIT_REACHED"
  | "TOO_MANY_CONTACTS"
  | "TOO_MANY_EMAILS"
  | "TOO_MANY_KEYS"
  | "TOO_MANY_SECRETS"
  | "TRANSCRIPT_NOT_FOUND"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "VALIDATION_ERROR"
  | "VERSION_NOT_FOUND";
