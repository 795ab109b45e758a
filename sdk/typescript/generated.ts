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
         * @description It is published at once. Keys of a section that are not documented are stored untouched.
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
        /** List agents, the newest first */
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
        /** Read an agent and its configuration */
        get: operations["getAgentAgentId"];
        put?: never;
        post?: never;
        /**
         * Archive an agent
         * @description It is unknown from then on. Its campaigns go on with the configuration that it had.
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
         * Change an agent's persona section
         * @description Deep merge: only the keys that are sent change; lists are replaced; null puts a default back. Calls run with the configuration of their start.
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
         * Change an agent's training section
         * @description Deep merge: only the keys that are sent change; lists are replaced; null puts a default back. Calls run with the configuration of their start.
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
         * Change an agent's experience section
         * @description Deep merge: only the keys that are sent change; lists are replaced; null puts a default back. Calls run with the configuration of their start.
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
         * Change an agent's analysis section
         * @description Deep merge: only the keys that are sent change; lists are replaced; null puts a default back. Calls run with the configuration of their start.
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
         * Change an agent's deployment section
         * @description Deep merge: only the keys that are sent change; lists are replaced; null puts a default back. Calls run with the configuration of their start.
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
         * List the versions of an agent's configuration, the newest first
         * @description Each change makes one. Kept are those that a call used, the current one and the 50 before it. One is read by `GET /api/agent/{agent_id}?version=`.
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
         * Make an earlier configuration of an agent the current one
         * @description All five sections with their secrets, as a new version: nothing is lost. Calls run with the configuration of their start. Where nothing differs, no version is made.
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
        /** List the conversations that are kept to try an agent by */
        get: operations["getAgentAgentIdConversations"];
        /**
         * Replace the conversations that are kept to try an agent by
         * @description All of them, in their order. They make no version of the agent, and go with its archiving. What calls said is deleted after its time; what stands here stays: write nothing of a real person.
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
         * Call a contact, or open a browser session
         * @description Either is accepted at once and waits durably for a free line; the agent of a browser session comes to its room then. Fields of the other medium are ignored.
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
        /** List all calls of the client, the newest first */
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
        /** Read what was said in a call and what was found in it */
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
         * @description One that is not dialled yet is cancelled, a live one ends within seconds, one that is over stays as it ended. The contact of a campaign is not dialled again.
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
         * Listen to a call while it is talked
         * @description The token lets one listener hear the room, unseen and without a voice. The call and its end do not depend on listeners. Only calls over LiveKit can be heard.
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
         * Read the transcript of a finished call
         * @description JSON, or text where Accept is text/plain.
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
         * Listen to the recording of a call
         * @description Answers parts, so that players can seek.
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
         * @description It is active at once and dials within its window. The file is taken whole or not at all; repeated numbers are dialled once.
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
         * Say how a campaign would go, without a call
         * @description Takes what create takes and refuses what create refuses; stores and starts nothing. The engine's own rules are run over assumed calls: the same request at the same time has the same answer.
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
         * Say how the rest of a campaign would go
         * @description A dry run of the contacts that are left, from now on and as if the campaign were not paused. Once twenty of its calls are over, their share of answers and length of talk are assumed of the others.
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
         * Show how a contact file is read
         * @description Its columns, its first rows and its faults, read as create reads it; nothing is stored. A file that cannot be read as rows is refused as by create. Texts are cut after 200 characters.
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
        /** List campaigns, the newest first */
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
        /** Read a campaign with its sums */
        get: operations["getCampaignsCampaignId"];
        /**
         * Change a campaign that has not ended
         * @description Only the fields that are supplied change. The campaign is paused first and is not resumed by itself; a refused change does not pause it.
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
         * @description Once answered, nothing more is dialled; live calls finish. Paused again it is answered the same.
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
         * @description It dials again as soon as its window is open.
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
         * Cancel a campaign for good
         * @description Once answered, nothing more is dialled; live calls finish. Cancelled again it is answered the same.
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
         * Pause every campaign that dials or would dial by itself
         * @description Once answered, none of them dials; live calls finish. Where it fails, what was paused stays so, and a repeat pauses the rest.
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
         * Resume the campaigns that a pause of all paused
         * @description Those that somebody has paused, resumed or changed by itself since, and those that were paused before, stay as they are.
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
        /** List a campaign's contacts and what became of each, in the order of the file */
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
         * Find a person in all campaigns, the newest campaign first
         * @description Counts and lists at most 1,000; without `search` nobody. A name is found by its beginning, in any case.
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
        /** Download the contact file as it was uploaded */
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
         * Download what became of each contact
         * @description Made from the rows of the moment, also while the campaign runs.
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
         * Watch all campaigns that have not ended, up to the newest 100
         * @description Server-sent events named progress: the first at once, then one for each change, at most one a second. A comment comes every 15 seconds. It ends with the session or the key.
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
         * Watch a campaign
         * @description Server-sent events named progress: the first at once, then one for each change, at most one a second. A comment comes every 15 seconds. It ends with the session or the key.
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
        /** List webhook deliveries with every attempt, the newest first */
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
        /** Read a webhook delivery with its body and every attempt */
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
         * Deliver many events again
         * @description Another round of up to five attempts for each delivery that matches, under the same event ids, the oldest first, ten in a second.
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
         * Deliver an event again
         * @description Another round of up to five attempts under the same event id. One whose attempts go on is left alone.
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
        /** List the secrets that sign webhooks, the newest first */
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
         * Make a new secret that signs webhooks, which is shown once
         * @description Webhooks are signed with the old one too until it ends.
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
        /** Read the organization's limits, how much of them is used, and what the key may do */
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
         * Read which parts of the service work
         * @description A part that cannot be known is left out: LiveKit where none is configured, workers while Temporal is away, the carrier unless three of the organization's dials ended within 15 minutes, and agents, which LiveKit does not list. Answers may be five seconds old.
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
        /** List the organization's do-not-disturb numbers, the newest first */
        get: operations["getDoNotDisturb"];
        put?: never;
        /**
         * Put a number on the do-not-disturb list
         * @description One that is on it stays as it is.
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
         * Take a number off the do-not-disturb list
         * @description One that is not on it is answered the same.
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
        /** List the API keys of the organization, the newest first */
        get: operations["getKeys"];
        put?: never;
        /**
         * Make an API key, which is shown once
         * @description It may do no more, and lasts no longer, than the key of the request. Made by a session of the console it lasts 90 days at most.
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
         * Revoke an API key for good
         * @description Requests with it, with the keys that it made, and with sessions of the console that these opened, are refused from now on. A key that may do more than that of the request is left alone.
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
        /** List the open console sessions of an API key, the newest first */
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
         * @description Its sign-in links end too. The key stays valid.
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
         * List who changed what, the newest first
         * @description Counts at most 10,000.
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
        /** Read the session that the cookie is of */
        get: operations["getConsoleSession"];
        put?: never;
        /**
         * Open a session of the console
         * @description By an API key or by the token of a sign-in link. The session is a cookie that lasts twelve hours, and ends with its key. It ends the session that the request came with. A key has at most 50 sessions: another one ends the oldest.
         */
        post: operations["postConsoleSession"];
        /** End the session that the cookie is of */
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
             * @description Identifier, used as agent_id elsewhere
             */
            id: string;
            /**
             * @description Internal slug, unique within the client
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
             * @description When it was published
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When its configuration last changed
             */
            last_edited_at: string;
            /** @description The deployment section as stored */
            deployment_config: Record<string, never>;
            /**
             * @description initialized until the agent has a system prompt, then running; stopped when archived
             * @enum {string}
             */
            status: "initialized" | "running" | "stopped";
            /** @description Reserved */
            gsheet_config: Record<string, never> | null;
            /** @description Whether it was archived */
            archived: boolean;
        };
        /** @description Any of the five sections */
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
            /** @description Its number; a change has the next */
            version: number;
            /**
             * Format: date-time
             * @description When the change was made
             */
            created_at: string;
            /** @description Whether new calls run with it */
            current: boolean;
            /** @description Whether a call was made with it */
            used: boolean;
            /** @description The sections that differ from the version before it; of the first those that it sets */
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
             * @description Identifier, used as agent_id elsewhere
             */
            id: string;
            /**
             * @description Internal slug, unique within the client
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
             * @description When it was published
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When its configuration last changed
             */
            last_edited_at: string;
            /** @description The deployment section as stored */
            deployment_config: Record<string, never>;
            /**
             * @description initialized until the agent has a system prompt, then running; stopped when archived
             * @enum {string}
             */
            status: "initialized" | "running" | "stopped";
            /** @description Reserved */
            gsheet_config: Record<string, never> | null;
            /** @description Whether it was archived */
            archived: boolean;
            config: components["schemas"]["StoredAgentConfig"];
        };
        AllPaused: {
            paused: number;
        };
        AllResumed: {
            resumed: number;
            /** @description Those whose agent may not call from its number: it is another organization's */
            left_paused: number;
        };
        /** @description Results of a finished call */
        Analysis: {
            /**
             * @description Whether people who opt out of calls are added to the do-not-disturb list
             * @default false
             */
            do_not_call?: boolean | null;
            /** @description Evaluation of the call */
            evaluations?: {
                /** @description Business results */
                dispositions?: {
                    /**
                     * @description Whether dispositions are decided
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description The organization's dispositions. The built-in rules take the last yes or no, number or tag that was said */
                    prompt_based?: {
                        /** @description Name of the answer */
                        name: string;
                        /**
                         * @description Type of the answer
                         * @enum {string}
                         */
                        type: "bool" | "string" | "number";
                        /** @description Question that the transcript answers */
                        prompt: string;
                        /** @description Allowed answer to its meaning; only for the type `string` */
                        list_of_tags?: {
                            [key: string]: components["schemas"]["Json"];
                        } | null;
                    }[] | null;
                    /** @description System-defined dispositions. Stored only, because the interface does not show them */
                    system_based?: components["schemas"]["Json"][] | null;
                } | null;
                /** @description Free-form evaluation */
                conversation_evaluation?: {
                    /**
                     * @description Whether the call gets a score from 0 to 100, with reasons
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description What to evaluate. The built-in rules ignore it and use sentiment, interruptions and response times */
                    prompt?: string | null;
                } | null;
            } | null;
            /** @description Data extraction */
            extraction?: {
                /** @description Facts */
                data_collection?: {
                    /**
                     * @description Whether facts are extracted
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description The facts. The built-in rules take the value said last, or null without `values` */
                    data_points?: {
                        /** @description Key of the fact in call_entity */
                        name: string;
                        /** @description Question that the transcript answers */
                        prompt: string;
                        /** @description Allowed answers; any text unless set */
                        values?: components["schemas"]["Json"][] | null;
                        /**
                         * @description Allow null when nothing is found
                         * @default true
                         */
                        nullable?: boolean | null;
                    }[] | null;
                } | null;
                /** @description Concerns of the callee or caller */
                collect_concerns?: {
                    /**
                     * @description Whether concerns are collected, as `concerns` among the facts. Needs a language model
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description What counts as a concern */
                    prompt?: string | null;
                } | null;
            } | null;
        };
        /** @description Never the key itself. */
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string | null;
            /**
             * @description The first twelve characters of the key
             * @example vap_Xx1yZ2w3
             */
            prefix: string;
            /** @description What it may do */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * Format: uuid
             * @description The key that made it, with which it is revoked; null where the operator made it
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Null for never
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
                /** @description Of the key or the agent; null of an operator and of a visitor */
                id: string | null;
                /** @description Of the key */
                name: string | null;
            };
            /** @enum {string} */
            action: "agent.archive" | "agent.conversations" | "agent.create" | "agent.restore" | "agent.update" | "call.dispatch" | "call.hangup" | "call.listen" | "call.transfer" | "call.transfer_refused" | "campaign.cancel" | "campaign.create" | "campaign.pause" | "campaign.pause_all" | "campaign.resume" | "campaign.resume_all" | "campaign.update" | "console.link" | "console.sign_in" | "console.sign_in_failed" | "delivery.redeliver" | "dnd.add" | "dnd.clear" | "dnd.import" | "dnd.remove" | "key.create" | "key.expire" | "key.revoke" | "mail.confirm" | "mail.remove" | "number.add" | "number.import" | "number.remove" | "org.create" | "org.update" | "person.erase" | "secret.create" | "secret.revoke" | "secret.rotate" | "secrets.re-encrypt" | "session.end" | "storage.move";
            /** @description Of what was changed; of what belongs to the organization as a whole, its own id */
            subject_id: string;
            /** @description Of an agent, a campaign or a key that is still there */
            subject_name: string | null;
            /** @description Names of the fields that were changed, never their values */
            fields: string[];
            /** @description The client address of the request; null of an operator and of an agent */
            address: string | null;
            /** @description The X-Request-Id of the request */
            request_id: string | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What pauses campaigns by itself; a day is one of UTC */
        Brakes: {
            /** @description Credits of a campaign; null is no limit */
            campaign_spend_per_day: number | null;
            /** @description Credits of the client; null is no limit */
            spend_per_day: number | null;
            /** @description Credits that the client has spent */
            spent_today: number;
            /** @description The share of the latest dials that the carrier may fail, 0 is no limit; null where the operator's setting holds */
            failure_rate: number | null;
        };
        BrowserSession: {
            /** @description Credential for the real-time server */
            token: string;
            room_name: string;
            agent_name: string;
            /** @description Where the client connects with the token */
            connection_url: string;
            /** @description Socket of the live transcript */
            live_captions_url: string;
        };
        /** @description One call attempt */
        Call: {
            /** @description Unique; of outbound telephony it starts with outbound-, of inbound with inbound-, of browser sessions with room_ */
            call_id: string;
            /** @enum {string} */
            call_type: "Outbound" | "Inbound";
            /**
             * @description In the end one of completed, User disconnected, voicemail, no answer, busy, rejected, failed, error, DND, cancelled, expired; before that queued, dialing, ringing, in progress
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
            /** @description E.164; web-user in a browser session; null while the carrier has not said which it chose, or where a caller withholds theirs */
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
             * @description Null until it is over
             */
            End_time: string | null;
            /** @description Milliseconds from the answer to the end; 0 unanswered */
            duration_ms: number;
            /** @description Credits, by started minute of talk */
            call_cost: number;
            /** @description Generated summary */
            call_summary: string | null;
            /** @description Extracted data; its keys depend on the agent */
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
             * @description Streams the recording, signed for 24 hours; null until there is one
             */
            recording_api: string | null;
            /**
             * Format: uri
             * @description The transcript, signed for 24 hours; null until there is one
             */
            call_transcription: string | null;
            /** @description What was given for the call, over which name, phone, agent_name, agent_id and client_id win */
            call_metadata: Record<string, never>;
            chat_history: components["schemas"]["ChatMessage"][];
            /** @description Whether the person said that they do not want to be called again */
            do_not_call: boolean;
            callback_requested: boolean;
            callback_id: string | null;
            callback_status: string | null;
            /**
             * Format: date-time
             * @description Of a call whose phone was lost, as its SIP bridge died or LiveKit was away: it may ring or be connected until then
             */
            line_kept_until: string | null;
        };
        CallDetails: {
            /** @description Lines prefixed AGENT: and USER:; a fixed text until processed */
            transcription: string;
            /** @description Extracted entities; a fixed text until processed */
            entity: Record<string, never> | string;
            /** @description By the agent; a fixed text until processed */
            conversation_eval: Record<string, never> | string;
            /** @description A fixed text until processed */
            summary: string;
            /**
             * @description Null until processed
             * @example not enough data
             */
            call_eval_tag: string | null;
            /**
             * @description What found the four above: a language model or the built-in rules; null until processed
             * @enum {string|null}
             */
            analysis_method: "model" | "rules" | null;
            usage: components["schemas"]["CallUsage"] | null;
        };
        CallPage: {
            data: components["schemas"]["Call"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What the call used of models; null where nothing was reported */
        CallUsage: {
            models: components["schemas"]["UsedModel"][];
            /** @description Of all together; null while that of one is unknown */
            cost: number | null;
        };
        Campaign: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            /** Format: uuid */
            client_id: string;
            /** Format: uuid */
            agent_id: string;
            /**
             * Format: uri
             * @description The stored contact file, signed for 24 hours
             */
            excel_blob_url: string;
            /**
             * @description What the file is by its content
             * @enum {string}
             */
            contact_source_type: "csv" | "xlsx" | "xls";
            /** @description Most dials of a contact; 1 is no redial */
            max_retries: number;
            /** @description Minutes from the end of a dial to the next */
            retry_after_mins: number;
            /** @description Most calls of the campaign at once */
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
            /** @description campaign_webhook_url of the request */
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
             * @description paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            /** Format: uuid */
            client_id: string;
            /** Format: uuid */
            agent_id: string;
            /**
             * Format: uri
             * @description The stored contact file, signed for 24 hours
             */
            excel_blob_url: string;
            /**
             * @description What the file is by its content
             * @enum {string}
             */
            contact_source_type: "csv" | "xlsx" | "xls";
            /** @description Most dials of a contact; 1 is no redial */
            max_retries: number;
            /** @description Minutes from the end of a dial to the next */
            retry_after_mins: number;
            /** @description Most calls of the campaign at once */
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
            /** @description campaign_webhook_url of the request */
            webhook_url: string | null;
            perform_dnd_check: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Notified of each call */
            per_call_webhook_url: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** @description Why the status is what it is */
            status_reason: string | null;
            /** @description The report to each of notification_emails. Before the end: confirmed or unconfirmed. An unconfirmed address gets none */
            completion_mails: components["schemas"]["CompletionMail"][];
        };
        CampaignEdit: {
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name?: string;
            /**
             * @description Most calls at once, up to the organization's maximum
             * @example 2
             */
            concurrency?: number;
            /**
             * Format: date
             * @description First day, UTC
             * @example 2026-11-02
             */
            from_date?: string;
            /**
             * Format: date
             * @description Last day, UTC
             * @example 2099-12-31
             */
            to_date?: string;
            /**
             * @description UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time?: string;
            /**
             * @description UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time?: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week?: string;
            /**
             * @description Most dials of a contact, 1-10; 1 is no redial
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of a dial to the next, 0-1440
             * @example 30
             */
            retry_delay_mins?: number;
            /** @description Comma-separated, at most 5 */
            notification_emails?: string | null;
            /** @description Notified of changes of the status */
            campaign_webhook_url?: string | null;
            /** @description Notified of each call */
            per_call_webhook_url?: string | null;
        } | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown | unknown;
        CampaignEditForm: {
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name?: string;
            /**
             * @description Most calls at once, up to the organization's maximum
             * @example 2
             */
            concurrency?: number;
            /**
             * Format: date
             * @description First day, UTC
             * @example 2026-11-02
             */
            from_date?: string;
            /**
             * Format: date
             * @description Last day, UTC
             * @example 2099-12-31
             */
            to_date?: string;
            /**
             * @description UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time?: string;
            /**
             * @description UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time?: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week?: string;
            /**
             * @description Most dials of a contact, 1-10; 1 is no redial
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of a dial to the next, 0-1440
             * @example 30
             */
            retry_delay_mins?: number;
            /** @description Comma-separated, at most 5 */
            notification_emails?: string;
            /** @description Notified of changes of the status */
            campaign_webhook_url?: string;
            /** @description Notified of each call */
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
            /** @description All faults of the file; details holds the first 100 */
            details_total?: number;
        };
        CampaignListItem: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** Format: uuid */
            agent_id: string;
            call_concurrency: number;
            /** @description Contacts */
            total_leads: number;
            /** @description Contacts that were reached */
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
            /** @description This page, from 1 */
            page: number;
            /** @description Most items on a page */
            page_size: number;
            /** @description Items on all pages */
            total: number;
            /** @description Pages */
            total_pages: number;
        };
        CampaignProgress: {
            /** Format: uuid */
            campaign_id: string;
            /** @enum {string} */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** @description Why it rests; null while it dials */
            status_reason: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** @description Most calls of the campaign at once */
            call_concurrency: number;
            /** @description Calls that hold a line */
            lines_in_use: number;
            /** @description Calls that wait for a line */
            waiting_calls: number;
            /** @description Dialled in the last minute */
            calls_per_minute: number;
            /** @description How its calls ended; counted again less often the longer that takes */
            outcomes: components["schemas"]["CampaignOutcome"][];
            /**
             * @description What the engine does next, for people
             * @example dialling; the window closes 14:29 UTC
             */
            next_step: string;
            /**
             * Format: date-time
             * @description When the next redial falls due that is not due yet
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
             * @description paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Contacts by state; they add up to `total_calls` */
        CampaignStats: {
            /** @description Contacts */
            total_calls: number;
            /** @description Answered, including voicemail */
            completed: number;
            pending: number;
            in_progress: number;
            /** @description failed, duplicate, dnd, invalid, cancelled and expired contacts */
            failed: number;
        };
        ChatMessage: {
            /**
             * @description Who said it
             * @enum {string}
             */
            role: "agent" | "user" | "tool";
            /** @description What was said */
            content: string;
            /** @description Milliseconds since the answer */
            start_ms: number;
            /** @description Milliseconds since the answer */
            end_ms: number;
            /** @description Whether the remote party cut it short */
            interrupted: boolean;
        };
        CompletionMail: {
            email: string;
            /** @enum {string} */
            status: "pending" | "sent" | "failed" | "skipped" | "unconfirmed" | "confirmed";
        };
        ConsoleSession: {
            /** @description Its name */
            organisation: string;
            /** @description Of the key that the session acts for: its name, or its first characters */
            key_name: string;
            /** @description What the key may do now */
            scopes: ("read" | "operate" | "configure")[];
            /** @description To send as X-CSRF-Token with whatever changes something */
            csrf_token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Addresses in Temporal's Web UI; null unless the session began with a link that an operator made to show them */
            workflow_pages: {
                /** @description Of a campaign, with `{id}` for its id */
                campaign: string;
                /** @description Of a call, with `{id}` for its id */
                call: string;
                /** @description Of the list of all workflows */
                list: string;
            } | null;
        };
        ConsoleSignIn: {
            /** @description An API key of the organization */
            api_key?: string;
            /** @description Of a sign-in link; works once */
            sign_in_token?: string;
        } & (unknown | unknown);
        Contact: {
            /** @description The file's row; the header is 1 */
            row: number;
            name: string;
            /** @description E.164 */
            phone_number: string;
            /** @description The extra columns */
            variables: Record<string, never>;
            /** @enum {string} */
            state: "pending" | "in_progress" | "completed" | "failed" | "duplicate" | "dnd" | "invalid" | "cancelled" | "expired";
            /** @description Why it was not called or not reached */
            reason: string | null;
            attempts: components["schemas"]["ContactAttempt"][];
            /**
             * Format: date-time
             * @description When its redial or callback falls due, whatever the calling window says then
             */
            next_attempt_at: string | null;
            /** @description Whether the person said in a call that they do not want to be called again */
            do_not_call: boolean;
            /**
             * @description For people: why it was not reached, or is not called now. Null for one that was reached, or is being called
             * @example Outside the calling window until 2026-11-23 02:30 UTC
             */
            why: string | null;
            next: components["schemas"]["ContactNextStep"];
        };
        ContactAttempt: {
            /** @description Which dial of the contact; of a callback the last before it */
            attempt: number;
            /** @description Whether the person had asked for this call in an earlier one */
            is_callback: boolean;
            call_id: string;
            call_status: string;
            /** @description Who or what ended it; null while it is under way */
            end_reason: string | null;
            /**
             * Format: date-time
             * @description When the carrier was asked
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
            /** @description From the answer to the end; 0 where nobody answered, and until it has ended */
            duration_ms: number;
        };
        ContactFileColumn: {
            title: string;
            /**
             * @description What it is taken for: the name, the number, a variable of the contact; `unclear` where its header is at fault
             * @enum {string}
             */
            meaning: "name" | "phone_number" | "variable" | "unclear";
        };
        ContactFileFault: {
            row: number;
            /** @description Null for a whole row */
            column: string | null;
            value: string | null;
            reason: string;
        };
        ContactFilePreview: {
            /**
             * @description What the content is, whatever the name of the file
             * @enum {string}
             */
            format: "csv" | "xlsx" | "xls";
            columns: components["schemas"]["ContactFileColumn"][];
            /** @description The first five below the header */
            rows: components["schemas"]["ContactFileRow"][];
            /** @description Below the header */
            rows_total: number;
            /** @description The first hundred; create takes a file without any */
            faults: components["schemas"]["ContactFileFault"][];
            faults_total: number;
        };
        ContactFileRow: {
            /** @description The spreadsheet's row */
            row: number;
            /** @description One for each column at most */
            cells: string[];
        };
        ContactNextStep: {
            /**
             * @description What happens to it next
             * @enum {string}
             */
            action: "dial" | "redial" | "callback" | "none";
            /**
             * Format: date-time
             * @description Not before then; null where that depends on a free line, a person or the call under way
             */
            at: string | null;
            /**
             * @description For people
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
             * @description Human-readable name; the slug agent_name is made from it
             * @example Check-up reminder
             */
            agent_display_name: string;
            config?: components["schemas"]["AgentConfig"] | null;
        };
        CreateCampaign: {
            /**
             * Format: binary
             * @description Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name: string;
            /**
             * @description Most calls at once, up to the organization's maximum
             * @example 2
             */
            concurrency: number;
            /**
             * Format: date
             * @description First day, UTC
             * @example 2026-11-02
             */
            from_date: string;
            /**
             * Format: date
             * @description Last day, UTC
             * @example 2099-12-31
             */
            to_date: string;
            /**
             * @description UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time: string;
            /**
             * @description UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Most dials of a contact, 1-10; 1 is no redial
             * @default 3
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of a dial to the next, 0-1440
             * @default 30
             * @example 30
             */
            retry_delay_mins?: number;
            /**
             * @description Comma-separated, at most 5
             * @default []
             */
            notification_emails?: string;
            /**
             * @description Notified of changes of the status
             * @default null
             */
            campaign_webhook_url?: string;
            /**
             * @description Notified of each call
             * @default null
             */
            per_call_webhook_url?: string;
            /** @description The agent that calls: its id or agent_name */
            agent_id: string;
            /**
             * @description Whether do-not-disturb lists are checked
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
            /** @description The display name */
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
            /** @description What the receiver answered; null when it did not */
            status_code: number | null;
            duration_ms: number;
            error: string | null;
        };
        DeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Numbers that an agent calls from and answers */
        Deployment: {
            /** @description Telephony */
            phone?: {
                /** @description By direction */
                call_type?: {
                    /** @description Number whose callers the agent answers; an empty text removes the route */
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
             * @description The agent's id, or its agent_name
             * @example check-up-reminder
             */
            agent_id: string;
            /**
             * @description Template variables for the agent's prompt: at most 100 keys and 16 KiB of JSON
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
             * @description Whom to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX
             * @example +919876543210
             */
            contact_number: string;
            /**
             * @description Customer name
             * @example Asha Rao
             */
            name: string;
            /**
             * @description Voice to use; empty leaves it to the agent
             * @default
             */
            voice?: string;
            /**
             * @description E.164 caller ID, of those the agent may dial from
             * @default null
             */
            outbound_number?: string | null;
            /**
             * @description Skips the do-not-disturb check
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
            /** @description The code */
            error: string;
            detail: components["schemas"]["ErrorDetail"] | components["schemas"]["InputFault"][];
        };
        DispatchOutput: {
            agent_name: string;
            /** @description Starts with outbound- */
            call_id: string;
            /** @description Socket of the live transcript */
            live_captions_url: string;
        };
        /** @description A call that was accepted; it waits durably for a free line */
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
            /** @description Where it came from */
            source: string;
            /** Format: date-time */
            added_at: string;
            /** @description The call in which the person asked not to be called again */
            call_id: string | null;
        };
        DoNotDisturbPage: {
            data: components["schemas"]["DoNotDisturbNumber"][];
            pagination: components["schemas"]["Pagination"];
        };
        DoNotDisturbRemoval: {
            /**
             * @description In any form that dispatch takes
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
            /** @description How many sessions have ended */
            ended: number;
        };
        Error: {
            detail: components["schemas"]["ErrorDetail"];
        };
        ErrorDetail: {
            /** @description Stable: decide by it */
            code: string;
            /** @description For people */
            message: string;
        };
        /** @description Style of the conversation and when it ends */
        Experience: {
            /** @description Style of the conversation */
            conversational_experience?: {
                /** @description Background noise, also in the recording */
                bg_noise?: {
                    /**
                     * @description Whether noise is played and recorded
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
                     * @description Share of answers that begin with a filler word while the model is still thinking; 0 = never
                     * @default 0
                     */
                    filler_words_frequency?: number | null;
                    /** @description The words, used in rotation */
                    filler_words_list?: string[] | null;
                } | null;
                /**
                 * @description Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s. If the speaker does not sound finished, balanced waits 1.5 s and fast 1 s, and fast assumes so less often. A fast agent begins its answer before the end of the turn is certain
                 * @default balanced
                 * @enum {string|null}
                 */
                eagerness_to_speak?: "slow" | "balanced" | "fast" | null;
                /** @description Audible breathing. Stored only, because the interface does not define its shape */
                breathing_sound?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Waiting for incomplete input, such as a number with too few digits, or a turn that ends with "and" or a comma. End-of-turn detection works as with the next slower `eagerness_to_speak` */
                patience_with_user_entries?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Detected mood to behaviour, for the model. Moods are detected from words, not from the voice */
                mood_mapping?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
            } | null;
            /** @description When calls warn, end and leave messages */
            settings?: {
                /** @description Silence on both sides */
                idle_conversation_settings?: {
                    /**
                     * @description Ask a quiet user once per silence whether they are still there
                     * @default false
                     */
                    pulse_check?: boolean | null;
                    /**
                     * @description End the call when the user stays quiet
                     * @default false
                     */
                    end_conversation_on_idle?: boolean | null;
                    /**
                     * @description Silence before the call ends, measured from the warning if there is one. In seconds
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
                /** @description Phrase that ends the call */
                end_call?: {
                    /**
                     * @description Whether a phrase ends the call
                     * @default false
                     */
                    enabled?: boolean | null;
                    /** @description The phrase, said by the agent or the user: whole words, any case. It takes effect once the agent has finished saying it or has answered it */
                    end_call_phrase?: string | null;
                    /**
                     * @description Time from the phrase to the end of the call; more than 60 counts as 60. In seconds
                     * @default 2
                     */
                    hangup_timeout?: number | null;
                } | null;
                /** @description Limits of a call */
                call_settings?: {
                    /**
                     * @description Maximum duration of the conversation. In minutes
                     * @default 10
                     */
                    max_call_duration?: number | null;
                    /**
                     * @description Whether this limit applies; otherwise it is 60 minutes
                     * @default true
                     */
                    max_duration_enabled?: boolean | null;
                    /**
                     * @description Detect answering machines on outbound calls within 12 s, by continuous speech and by phrases. Call screening counts as a person
                     * @default false
                     */
                    enable_voicemail_detection?: boolean | null;
                    /**
                     * @description What to do with an answering machine
                     * @default hang_up
                     * @enum {string|null}
                     */
                    action?: "hang_up" | "leave_message" | null;
                    /** @description Message for `leave_message`, left once the machine has paused for 1.5 s */
                    end_call_message?: string | null;
                } | null;
                /** @description Recording of the call */
                recording?: {
                    /**
                     * @description Whether the call is recorded
                     * @default true
                     */
                    enabled?: boolean | null;
                    /** @description Said before the greeting of a recorded call, cannot be interrupted; may hold {{variables}}. The recording starts after it; if it cannot be said, the call is not recorded */
                    disclosure?: string | null;
                } | null;
            } | null;
        };
        FoundContact: {
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /** @description The file's row; the header is 1 */
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
            /** @description Where the call stands; it becomes final when the line is free */
            call_status: string;
        };
        InputFault: {
            /**
             * @description Where: body, query, path or header, then the way to the field
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
             * @description The first twelve characters of the key
             * @example vap_Xx1yZ2w3
             */
            prefix: string;
            /** @description What it may do */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * Format: uuid
             * @description The key that made it, with which it is revoked; null where the operator made it
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Null for never
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "valid" | "expired" | "revoked";
            /** @description The key, shown this once: only its hash is stored */
            key: string;
        };
        Json: unknown;
        KeptConversation: {
            /**
             * @description Its name in the list
             * @example A refund that takes long
             */
            title: string;
            /**
             * @description Template variables, as `metadata` of a dispatch: at most 100 keys and 16 KiB of JSON
             * @default {}
             * @example {
             *       "name": "Asha"
             *     }
             */
            variables?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description In order */
            turns: components["schemas"]["KeptTurn"][];
        };
        KeptConversations: {
            conversations: components["schemas"]["KeptConversation"][];
        };
        KeptTurn: {
            /**
             * @description What the person types. Only a first turn may be without: what the agent says by itself
             * @example Where is my refund?
             */
            user?: string;
            expect?: components["schemas"]["TurnExpectations"];
        };
        /** @description A key of the client’s own, without an unpaired surrogate */
        Key: string;
        KeySession: {
            /**
             * Format: uuid
             * @description Names the session; it does not open it
             */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description The client address of the sign-in */
            address: string | null;
            /** @description Whether the request came with it */
            is_current: boolean;
        };
        KeySessionList: {
            data: components["schemas"]["KeySession"][];
        };
        Limits: {
            /** @description Most calls of the client at once */
            max_concurrency: number;
            /** @description Of these, calls of callers at once */
            caller_lines: number;
            /** @description Calls that hold a line now */
            live_calls: number;
            /** @description Calls that wait for a line now */
            waiting_calls: number;
            rate_limits: components["schemas"]["RateLimits"];
            brakes: components["schemas"]["Brakes"];
            /** @description Numbers in E.164 that only the client may call from and answer */
            numbers: string[];
            /** @description What the organization may keep */
            quotas: components["schemas"]["Quota"][];
            /** @description What the key of the request may do */
            scopes: ("read" | "operate" | "configure")[];
        };
        ListeningSession: {
            /** @description Credential for the real-time server, valid for a minute */
            token: string;
            room_name: string;
            /** @description Where the client connects with the token */
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
            /** @description What it is for */
            name: string;
            /** @description What it may do; the key of the request must have each of them */
            scopes: ("read" | "operate" | "configure")[];
            /**
             * @description A date or a timestamp, UTC. Unless given: never, or when the key of the request expires; in 90 days where a session of the console makes it
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            expires_at?: string;
        };
        NewDoNotDisturbNumber: {
            /**
             * @description In any form that dispatch takes
             * @example +919876543210
             */
            phone_number: string;
            /**
             * @description Where it came from
             * @default api
             */
            source?: string;
        };
        Pagination: {
            /** @description This page, from 1 */
            page: number;
            /** @description Most items on a page */
            page_size: number;
            /** @description Items on all pages. Those that a filter finds are counted up to 10,000 */
            total_count: number;
            /** @description Pages */
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
             * @description Null of a part that is up. `not_seen`: no worker asks for work. `dials_fail`: the carrier fails dials
             * @enum {string|null}
             */
            reason: "no_answer" | "refused" | "read_only" | "not_seen" | "dials_fail" | null;
            /**
             * Format: date-time
             * @description Null of a part that is up, and where it is not known
             */
            since: string | null;
        };
        /** @description Who the agent is and how it hears, thinks and speaks */
        Persona: {
            /** @description Who the agent is */
            identity?: {
                /** @description Main prompt, at the beginning of the model's instructions; may hold {{variables}}. An agent without one is `initialized`, not `running` */
                system_prompt?: string | null;
                /** @description Trait to value, for the model */
                personality?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description How the conversation opens */
                greeting_message?: {
                    /** @description Opening text; may hold {{variables}}. If empty, the model begins. A custom-LLM server may greet instead. Without a voice, the agent plays a chime and shows the text */
                    agent_message?: string | null;
                    /**
                     * @description Wait before the greeting, if the agent speaks first. In seconds
                     * @default 0
                     */
                    agent_speech_delay?: number | null;
                    /** @description Silence after the user's first words before the greeting. In seconds. 0.5 unless set */
                    user_speech_delay?: number | null;
                    /**
                     * @description Whether half a second of speech interrupts the opening. If false, speech during the opening is ignored
                     * @default true
                     */
                    interruptible?: boolean | null;
                    /**
                     * @description Whether the agent greets only after the user's first words. A session with a `welcome_message` is greeted at once
                     * @default false
                     */
                    let_user_speak_first?: boolean | null;
                } | null;
            } | null;
            /** @description Hearing, thinking and speaking */
            senses_capabilities?: {
                /** @description Language code, such as `en` or `hi`, for recognition, voice and model */
                language?: string | null;
                /**
                 * @description Whether the user's language is detected, so that the model follows it
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
                            /** @description Language code for recognition; the agent's language unless set */
                            language?: string | null;
                            /** @description Words whose recognition is boosted, with Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`) and OpenAI-compatible servers (`prompt`), not with Cartesia and Sarvam */
                            keywords?: components["schemas"]["Json"][] | null;
                        } | null;
                        /** @description Takes over if the first choice fails, from the same utterance or, with a stream, from the failure on */
                        fallback?: {
                            /** @description Speech-to-text provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Language code for recognition; the agent's language unless set */
                            language?: string | null;
                            /** @description Words whose recognition is boosted, with Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`) and OpenAI-compatible servers (`prompt`), not with Cartesia and Sarvam */
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
                            /** @description For the provider `custom`: address of the server; the call id is appended */
                            url?: string | null;
                            /** @description For the provider `custom`: bearer token, shown masked; sending the mask keeps it */
                            auth_token?: string | null;
                        } | null;
                        /** @description Answers if the first choice fails, has no first word within five seconds or ends without a word. The first choice is retried meanwhile */
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
                     * @description Stored only, because nothing defines which model serves which language
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
                            /** @description Voice; the `voice` of a telephony dispatch overrides it. With Deepgram, set `model` instead */
                            voice_id?: string | null;
                            /** @description Name of the voice, if there is no `voice_id` */
                            voice_name?: string | null;
                            /** @description `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any) */
                            config?: {
                                [key: string]: components["schemas"]["Json"];
                            } | null;
                        } | null;
                        /** @description Speaks if the first choice fails */
                        fallback?: {
                            /** @description Text-to-speech provider */
                            provider?: string | null;
                            /** @description Model; the provider's usual one unless set */
                            model?: string | null;
                            /** @description Voice; the `voice` of a telephony dispatch overrides it. With Deepgram, set `model` instead */
                            voice_id?: string | null;
                            /** @description Name of the voice, if there is no `voice_id` */
                            voice_name?: string | null;
                            /** @description `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any) */
                            config?: {
                                [key: string]: components["schemas"]["Json"];
                            } | null;
                        } | null;
                        /** @description Word to pronunciation, for whole words in any case. Captions and transcript keep the word */
                        word_pronunciation_pairs?: {
                            [key: string]: components["schemas"]["Json"];
                        } | null;
                    } | null;
                } | null;
            } | null;
            /** @description Custom actions. Secret headers are shown masked; sending the mask keeps the secret */
            actions?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Name to text, for the model */
            memories?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Variables for prompts and flows; variables of the contact or the dispatch override them */
            metadata?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
        };
        PreviewContactFile: {
            /**
             * Format: binary
             * @description Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
        };
        Quota: {
            /** @enum {string} */
            name: "campaigns" | "contacts" | "contact_file_bytes" | "agents" | "agent_bytes" | "webhook_deliveries" | "dnd_numbers";
            /** @description What the organization keeps now */
            used: number;
            /** @description What it may keep; null is no limit */
            limit: number | null;
        };
        RateLimits: {
            /** @description Dispatches; 0 is no limit */
            dispatch_per_minute: number;
            /** @description All other requests; 0 is no limit */
            other_per_minute: number;
        };
        Redelivered: {
            /** @description Pending again */
            redelivered: number;
            /** @description Match too and were left for another request: over `limit`, or over the 1,000 of a client that may be on their way */
            skipped: number;
        };
        /** @description At least one of the fields other than `limit`. */
        RedeliveryRequest: {
            /**
             * Format: uuid
             * @description Events of this campaign and its calls
             */
            campaign_id?: string;
            /** @description Events of this call */
            call_id?: string;
            /**
             * @description `failed` unless given
             * @enum {string}
             */
            status?: "failed" | "delivered";
            /**
             * @description Happened at or after: a date or a timestamp, UTC
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            from?: string;
            /**
             * @description Happened before: a date or a timestamp, UTC
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            to?: string;
            /**
             * @description At most so many
             * @default 1000
             */
            limit?: number;
        } | unknown | unknown | unknown | unknown | unknown;
        ReplaceConversations: {
            conversations: components["schemas"]["KeptConversation"][];
        };
        RestoreVersion: {
            /**
             * @description One of the list of versions
             * @example 1
             */
            version: number;
        };
        RotatedSecret: {
            /** Format: uuid */
            id: string;
            /** @description Shown this once */
            secret: string;
            /**
             * Format: date-time
             * @description At the latest
             */
            older_sign_until: string;
        };
        SecretRotation: {
            /**
             * @description How long the old secret signs beside the new one; 0 ends all old ones at once
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
             * @description Which section was updated
             * @example Persona section updated successfully
             */
            message: string;
        };
        SessionDispatch: {
            /**
             * @description The agent's id, or its agent_name
             * @example check-up-reminder
             */
            agent_id: string;
            /**
             * @description Template variables for the agent's prompt: at most 100 keys and 16 KiB of JSON
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
             * @description Contacts, 1 to 10,000: .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
             */
            csv_file: Blob;
            /**
             * @description At most 255 characters
             * @example November reminders
             */
            campaign_name: string;
            /**
             * @description Most calls at once, up to the organization's maximum
             * @example 2
             */
            concurrency: number;
            /**
             * Format: date
             * @description First day, UTC
             * @example 2026-11-02
             */
            from_date: string;
            /**
             * Format: date
             * @description Last day, UTC
             * @example 2099-12-31
             */
            to_date: string;
            /**
             * @description UTC, inclusive, 02:30-14:29
             * @example 04:00
             */
            start_time: string;
            /**
             * @description UTC, exclusive, 02:30-14:29
             * @example 10:30
             */
            end_time: string;
            /**
             * @description Comma-separated lowercase weekday names
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description Most dials of a contact, 1-10; 1 is no redial
             * @default 3
             * @example 3
             */
            max_retries?: number;
            /**
             * @description Minutes from the end of a dial to the next, 0-1440
             * @default 30
             * @example 30
             */
            retry_delay_mins?: number;
            /**
             * @description Comma-separated, at most 5
             * @default []
             */
            notification_emails?: string;
            /**
             * @description Notified of changes of the status
             * @default null
             */
            campaign_webhook_url?: string;
            /**
             * @description Notified of each call
             * @default null
             */
            per_call_webhook_url?: string;
            /** @description The agent that calls: its id or agent_name */
            agent_id: string;
            /**
             * @description Whether do-not-disturb lists are checked
             * @default false
             */
            perform_dnd_check?: boolean;
            /**
             * @description Share of first dials that are answered, voicemail included
             * @default 0.6
             * @example 0.6
             */
            assumed_answer_rate?: number;
            /**
             * @description Share of redials that are answered; that of first dials unless given
             * @example 0.4
             */
            assumed_redial_answer_rate?: number;
            /**
             * @description Talk of an answered call; at most the agent's longest
             * @default 60
             * @example 90
             */
            assumed_talk_seconds?: number;
            /**
             * @description From the dial to the answer, or to the end of a dial that nobody answers
             * @default 15
             * @example 15
             */
            assumed_ring_seconds?: number;
            /**
             * @description Share of contacts that a do-not-disturb list names; counts only with perform_dnd_check
             * @default 0
             * @example 0.05
             */
            assumed_dnd_rate?: number;
            /**
             * @description When the campaign would be created; now unless given
             * @example 2026-11-02
             * @example 2026-11-02T04:00:00.000Z
             */
            starts_at?: string;
        };
        SimulatedCampaign: {
            /**
             * @description paused where the limit of a day's spend would stop it, until a person resumes it
             * @enum {string}
             */
            status: "completed" | "paused";
            /** Format: date-time */
            finishes_at: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /** @description Dials */
            total_calls: number;
            answered_calls: number;
            /** @description Most calls at once */
            peak_lines: number;
            /** @description Credits */
            cost: number;
            lines: {
                /** @description The least of the campaign's concurrency and the organization's maximum */
                used_at_most: number;
                campaign: number;
                organization: number;
                /** @description All of them are taken to be free */
                assumption: string;
            };
            /** @description By the state that they end in; they add up */
            contacts: {
                total: number;
                /** @description Answered */
                completed: number;
                /** @description Not answered by the last dial */
                failed: number;
                duplicate: number;
                dnd: number;
                expired: number;
                /** @description None unless a brake stops the campaign */
                pending: number;
            };
            /** @description Contacts that do not fit before the end of the last window */
            expired: {
                total: number;
                /** @description The others were dialled, and a redial no longer fitted */
                never_dialled: number;
                /** @description Of the file, the first hundred */
                rows: number[];
            };
            /** @description Days with a dial, the first 5,000 */
            calls_per_day: components["schemas"]["SimulatedPeriod"][];
            /** @description How many such days there are */
            calls_per_day_total: number;
            /** @description Hours with a dial, the first 5,000 */
            calls_per_hour: components["schemas"]["SimulatedPeriod"][];
            /** @description How many such hours there are */
            calls_per_hour_total: number;
            /** @description As they were read, defaults filled in */
            assumptions: {
                /** Format: date-time */
                starts_at: string;
                assumed_answer_rate: number;
                assumed_redial_answer_rate: number;
                assumed_talk_seconds: number;
                assumed_ring_seconds: number;
                assumed_dnd_rate: number;
                credits_per_minute: number;
                /** @description The platform's pace for each trunk; null for none */
                calls_per_second: number | null;
                /** @description Credits of a day at which a brake stops the campaign; null for none */
                spend_per_day: number | null;
            };
        };
        SimulatedPeriod: {
            /**
             * Format: date-time
             * @description Where the day or the hour begins, UTC
             */
            from: string;
            /** @description Dials that begin in it */
            calls: number;
            answered: number;
        };
        /** @description Every section as stored; those never set are empty */
        StoredAgentConfig: {
            persona: Record<string, never>;
            training: Record<string, never>;
            experience: Record<string, never>;
            analysis: Record<string, never>;
            deployment: Record<string, never>;
        };
        /** @description The agent's knowledge */
        Training: {
            /** @description Retrieval */
            knowledge?: {
                /**
                 * @description Whether the model gets up to four passages of questions and knowledge that match the words of the user, before each turn
                 * @default false
                 */
                use_rag?: boolean | null;
                /** @description Knowledge for `use_rag`: name to text or to a nested map, up to four levels and a million characters in total. URLs and files are not fetched */
                rag_knowledge_base_dict?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
            } | null;
            /** @description Questions, pain points and guardrails */
            know_how?: {
                /** @description Question to answer. Without `use_rag`, up to 12,000 characters are part of the instructions; an agent without a model answers from them */
                faq?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Pain point to resolution, for the model */
                pain_points?: {
                    [key: string]: components["schemas"]["Json"];
                } | null;
                /** @description Topics that the agent must avoid */
                guardrails?: {
                    /**
                     * @description `basic`: blocks the selected topics in the agent's speech. `medium`: also checks the user's words, and asks the model to return to the topic, invent nothing and keep its role. `strict`: blocks all topics, and attempts to override the instructions. Any other word acts as `medium`
                     * @default basic
                     */
                    level?: string | null;
                    /**
                     * @description Block violence: such sentences of the agent are replaced, and the model is asked to avoid the topic
                     * @default false
                     */
                    violence?: boolean | null;
                    /**
                     * @description Block sexual content
                     * @default false
                     */
                    sexual?: boolean | null;
                    /**
                     * @description Block threats (existing API clients use this spelling)
                     * @default false
                     */
                    threatning?: boolean | null;
                    /** @description The organization's rules */
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
                         * @description The reaction; any other word acts as `block`
                         * @default block
                         */
                        handlingType?: string | null;
                        /** @description The agent's answer when the rule applies */
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
         * @description All must be met. With the names and meanings of scripted conversations in files
         * @default {}
         */
        TurnExpectations: {
            /**
             * @description All of them are said, in any case
             * @example [
             *       "paid"
             *     ]
             */
            contains?: string[];
            /** @description At least one of them is said */
            contains_any?: string[];
            /**
             * @description None of them is said
             * @example [
             *       "sorry"
             *     ]
             */
            not_contains?: string[];
            /** @description The agent says nothing; or, false, it says something */
            says_nothing?: boolean;
            /** @description It says no more words */
            max_words?: number;
            /** @description It has ended the call; or, false, it has not */
            ends?: boolean;
        };
        UpdatedCampaign: {
            /** Format: uuid */
            id: string;
            campaign_name: string;
            /**
             * @description paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own
             * @enum {string}
             */
            campaign_status: "scheduled" | "active" | "paused" | "paused_out_of_range" | "completed" | "cancelled";
            /**
             * @description Comma-separated
             * @example monday,tuesday
             */
            days_of_week: string;
            /**
             * @description UTC, inclusive
             * @example 04:00:00Z
             */
            time_range_from: string;
            /**
             * @description UTC, exclusive
             * @example 10:30:00Z
             */
            time_range_to: string;
            call_concurrency: number;
            /** Format: date-time */
            updated_at: string;
        };
        UsedModel: {
            /**
             * @description Hearing, thinking or speaking
             * @enum {string}
             */
            kind: "stt" | "llm" | "tts";
            provider: string;
            model: string;
            /**
             * @description What it was used for
             * @enum {string}
             */
            purpose: "conversation" | "analysis";
            input_tokens: number;
            /** @description Of the input, those that the provider had read before */
            cached_tokens: number;
            output_tokens: number;
            characters: number;
            audio_ms: number;
            requests: number;
            /** @description In the currency of the operator's rates; null where there is none for it */
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
            /** @description The current version from now on */
            version: number;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The same in every retry and redelivery
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
             * @description The same in every retry and redelivery
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
            /** @description JSON to the byte as it is signed and sent; a transcript, a summary or a contact that was erased since is empty in it */
            body: string;
        };
        /** @description Never the secret itself. */
        WebhookSecret: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description It signs until then; null for no end
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last announced status
             * @enum {string}
             */
            old_status: "active" | "paused" | "completed" | "cancelled";
            /** @enum {string} */
            new_status: "active" | "paused" | "completed" | "cancelled";
            /** Format: date-time */
            timestamp: string;
            stats: components["schemas"]["CampaignStats"];
            /** @description Why the campaign was paused automatically; absent if a person paused it */
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last announced status
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
             */
            event_id: string;
            /** Format: uuid */
            campaign_id: string;
            campaign_name: string;
            /**
             * @description The last announced status
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
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
            /** @description Duration of the conversation */
            call_duration_seconds: number;
            /** @description The business result, or `call_status` if there is none */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description `true` for a callback that the person requested in an earlier call; otherwise absent */
            is_callback?: boolean;
            /** @description `true` if the person opted out of calls; otherwise absent */
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
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
            /** @description Duration of the conversation */
            call_duration_seconds: number;
            /** @description The business result, or `call_status` if there is none */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description `true` for a callback that the person requested in an earlier call; otherwise absent */
            is_callback?: boolean;
            /** @description `true` if the person opted out of calls; otherwise absent */
            do_not_call?: boolean;
            /** @description Number of the contact's dial; for a callback, the last dial before it */
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
             * @description The same in every retry and redelivery; ignore an id that you have seen
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
            /** @description Duration of the conversation */
            call_duration_seconds: number;
            /** @description The business result, or `call_status` if there is none */
            call_outcome: string;
            call_tags: string[];
            /** @description Lines prefixed with `AGENT:` and `USER:`; empty if the call was not answered */
            transcript: string;
            summary: string;
            /** Format: date-time */
            timestamp: string;
            /** @description `true` for a callback that the person requested in an earlier call; otherwise absent */
            is_callback?: boolean;
            /** @description `true` if the person opted out of calls; otherwise absent */
            do_not_call?: boolean;
            /** @description Number of the contact's dial; for a callback, the last dial before it */
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
            /** @description As in the call history */
            call_status: string;
            /**
             * Format: date-time
             * @description Null until somebody answers
             */
            answered_at: string | null;
        };
        CaptionSegment: {
            /** @description Of a final one its own for good; that of an interim one stands for what this speaker is saying just now */
            id: string;
            call_id: string;
            /** @enum {string} */
            event_type: "final" | "interim";
            /** @enum {string} */
            speaker: "agent" | "user";
            text: string;
            /** @description Seconds since the epoch: when speaking it began; of an interim one, when the agent reported it */
            timestamp: number;
            is_final: boolean;
            segment_index: number;
            was_interrupted: boolean;
            /** @description 0 to 1 */
            confidence: number | null;
            language: string | null;
            /** @description Where to resume, as ?after=. Null of an interim one, which cannot be resumed from */
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
            /** @description As in the call history */
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
            /** @description The agent was created */
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
                /** @description Part of the display name or the slug */
                search?: string;
                /** @description From 1. When omitted the answer is a bare array of all agents */
                page?: number;
                /** @description Most agents on a page */
                page_size?: number;
                /** @description Leaves out agents that are not published */
                published_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With page, a page of agents; without, all of them */
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
                /** @description Answers `config` as this version had it; all other fields are of now */
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
            /** @description The section was updated */
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
            /** @description The section was updated */
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
            /** @description The section was updated */
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
            /** @description The section was updated */
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
            /** @description The section was updated */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
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
            /** @description The configuration is the current one */
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
            /** @description Those that were put last; none for an agent without */
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
            /** @description They are kept */
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
                /** @description Forwarded to a custom-LLM socket server; not the agent's id */
                "X-Agent-Id"?: string;
                /** @description For 24 hours, a request that comes again with the same key is answered as before and makes nothing new. A key of its own for each request, such as a UUID */
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
            /** @description The call was accepted, or the room may be joined */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
                page_size?: number;
                /** @description Calls of this agent */
                agent_id?: string;
                /** @description Calls of this campaign */
                campaign_id?: string;
                /** @description The call of this id */
                call_id?: string;
                /** @description Calls with this call_status */
                status?: string;
                /** @description Accepted at or after: a date or a timestamp, UTC */
                from?: string;
                /** @description Accepted before: a date or a timestamp, UTC */
                to?: string;
                /** @description Calls that are concluded in which all these words were said, whole, in any order and case */
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
            /** @description The details; fixed texts until the call was post-processed */
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
            /** @description Where the call stands */
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
            /** @description The room may be joined */
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
                /** @description For who cannot set a header */
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
                /** @description The part that is wanted, such as bytes=0-99999 */
                Range?: string;
                /** @description The ETag that the part must be of; of another the whole is answered */
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
                /** @description For 24 hours, a request that comes again with the same key is answered as before and makes nothing new. A key of its own for each request, such as a UUID */
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
            /** @description The campaign was created */
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
            /** @description How the campaign would go */
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
            /** @description How the rest would go */
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
            /** @description How it is read */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
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
            /** @description The campaign is paused and changed */
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
            /** @description Where the campaign stands */
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
            /** @description Where the campaign stands */
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
            /** @description Where the campaign stands */
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
            /** @description How many it paused */
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
            /** @description How many it resumed */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
                page_size?: number;
                /** @description Contacts in this state */
                state?: "pending" | "in_progress" | "completed" | "failed" | "duplicate" | "dnd" | "invalid" | "cancelled" | "expired";
                /** @description A phone number in any form that dispatch takes, or the beginning of a name */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
                page_size?: number;
                /** @description A phone number in any form that dispatch takes, or the beginning of a name */
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
                /** @description The kind of file */
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
            /** @description Events; each has the progress of one campaign */
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
            /** @description Events; each has the campaign's progress */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
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
            /** @description They are delivered again */
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
            /** @description It is delivered again */
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
            /** @description The last fifty */
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
            /** @description The secret */
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
            /** @description The parts */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
                page_size?: number;
                /** @description In any form that dispatch takes */
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
            /** @description As it is on the list */
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
            /** @description It is not on the list */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
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
            /** @description The key */
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
            /** @description The key, revoked */
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
            /** @description They have ended */
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
            /** @description It has ended */
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
                /** @description From 1. One that begins after 10,000 rows of a list is refused */
                page?: number;
                /** @description Most items on a page */
                page_size?: number;
                /** @description Of a key, of the operators of the service, of an agent, of a visitor whose sign-in failed */
                actor_kind?: "api_key" | "operator" | "agent" | "visitor";
                /** @description Of this key or agent */
                actor_id?: string;
                action?: "agent.archive" | "agent.conversations" | "agent.create" | "agent.restore" | "agent.update" | "call.dispatch" | "call.hangup" | "call.listen" | "call.transfer" | "call.transfer_refused" | "campaign.cancel" | "campaign.create" | "campaign.pause" | "campaign.pause_all" | "campaign.resume" | "campaign.resume_all" | "campaign.update" | "console.link" | "console.sign_in" | "console.sign_in_failed" | "delivery.redeliver" | "dnd.add" | "dnd.clear" | "dnd.import" | "dnd.remove" | "key.create" | "key.expire" | "key.revoke" | "mail.confirm" | "mail.remove" | "number.add" | "number.import" | "number.remove" | "org.create" | "org.update" | "person.erase" | "secret.create" | "secret.revoke" | "secret.rotate" | "secrets.re-encrypt" | "session.end" | "storage.move";
                /** @description What was changed */
                subject_id?: string;
                /** @description At or after: a date or a timestamp, UTC */
                from?: string;
                /** @description Before: a date or a timestamp, UTC */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
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
            /** @description The session, whose cookie is set */
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
            /** @description It has ended, and the cookie is taken away */
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
