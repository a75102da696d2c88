import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.Base64ImageSource;
import com.anthropic.models.messages.Base64PdfSource;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.JsonOutputFormat;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.OutputConfig;
import com.anthropic.models.messages.TextBlock;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The official Anthropic package; it refuses answers that its schema does not allow. */
final class AnthropicMessages {
    private static AnthropicClient clientOf(Place place, String key) {
        return AnthropicOkHttpClient.builder()
                .apiKey(key)
                .baseUrl(place.url())
                .maxRetries(0)
                .responseValidation(true)
                .build();
    }

    private interface Reader {
        Message read(MessageCreateParams.Builder request);
    }

    private static final int THINKING_BUDGET = 2_000;

    private final Place place;
    private final AnthropicClient client;

    private AnthropicMessages(Place place) {
        this.place = place;
        this.client = clientOf(place, place.key());
    }

    private MessageCreateParams.Builder request() {
        return MessageCreateParams.builder().model(place.model()).maxTokens(Place.CAP);
    }

    private MessageCreateParams.Builder asking(String name) {
        return request().addUserMessage(Place.question(name));
    }

    private Message ask(MessageCreateParams.Builder request) {
        return client.messages().create(request.build());
    }

    private Message collect(MessageCreateParams.Builder request) {
        var whole = MessageAccumulator.create();
        try (var stream = client.messages().createStreaming(request.build())) {
            stream.stream().forEach(whole::accumulate);
        }
        return whole.message();
    }

    private static String said(Message answer) {
        return answer.content().stream()
                .flatMap(block -> block.text().stream())
                .map(TextBlock::text)
                .collect(Collectors.joining());
    }

    private static Place.Tokens usage(Message answer) {
        var usage = answer.usage();
        long cached = usage.cacheReadInputTokens().orElse(0L) + usage.cacheCreationInputTokens().orElse(0L);
        return new Place.Tokens(usage.inputTokens() + cached, usage.outputTokens());
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(answer.content().get(0).asText().text(), Place.ANSWER, "answer");
            Place.same(answer.stopReason().orElseThrow().asString(), "end_turn", "stop reason");
            return usage(answer);
        };
    }

    private static Tool tool(String name, Map<String, Object> members, List<String> required) {
        var properties = Tool.InputSchema.Properties.builder();
        members.forEach((member, value) -> properties.putAdditionalProperty(member, JsonValue.from(value)));
        var schema = Tool.InputSchema.builder().properties(properties.build()).required(required).build();
        return Tool.builder().name(name).description(name).inputSchema(schema).build();
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            var request = asking(name)
                    .addTool(tool("lookup", Place.LOOKUP_PROPERTIES, List.of("city")))
                    .addTool(tool("now", Map.of(), List.of()));
            if (name.startsWith("parallel")) request.enabledThinking(THINKING_BUDGET);
            var first = reader.read(request);
            Place.same(first.stopReason().orElseThrow().asString(), "tool_use", "stop reason");
            List<Place.Call> calls = new ArrayList<>();
            List<ContentBlockParam> results = new ArrayList<>();
            for (var block : first.content()) {
                block.toolUse().ifPresent(call -> {
                    calls.add(new Place.Call(call.name(), Place.JSON.valueToTree(call._input())));
                    results.add(ContentBlockParam.ofToolResult(ToolResultBlockParam.builder()
                            .toolUseId(call.id())
                            .content(Place.TOOL_RESULT)
                            .build()));
                });
            }
            Place.same(calls, Place.callsOf(name), "calls");
            var last = reader.read(request.addMessage(first).addUserMessageOfContentBlockParams(results));
            Place.same(said(last), Place.ANSWER, "answer");
            return usage(last);
        };
    }

    private Place.Tokens structured() {
        var schema = JsonOutputFormat.Schema.builder();
        Place.FORM_SCHEMA.forEach((member, value) -> schema.putAdditionalProperty(member, JsonValue.from(value)));
        var format = JsonOutputFormat.builder().schema(schema.build()).build();
        var request = asking("structured").outputConfig(OutputConfig.builder().format(format).build());
        Place.same(Place.parsed(said(ask(request))), Place.FORM, "form");
        return null;
    }

    private Runner.Scenario withPart(String name, ContentBlockParam part, String words) {
        return () -> {
            var blocks = List.of(part, ContentBlockParam.ofText(Place.question(name)));
            Place.same(said(ask(request().addUserMessageOfContentBlockParams(blocks))), words, "answer");
            return null;
        };
    }

    private Runner.Scenario reasoning(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name).enabledThinking(THINKING_BUDGET));
            Place.same(said(answer), Place.ANSWER, "answer");
            if (place.tellsThoughts())
                Place.same(answer.content().get(0).asThinking().thinking(), Place.THOUGHT, "thought");
            return usage(answer);
        };
    }

    private Runner.Scenario citations(String name, Reader reader) {
        return () -> {
            ContentBlock block = reader.read(asking(name)).content().get(0);
            Place.same(block.asText().text(), Place.ANSWER, "answer");
            var pages = block.asText().citations().orElse(List.of());
            Place.holds(!pages.isEmpty(), "no citations");
            Place.same(pages.get(0).asWebSearchResultLocation().url(), Place.SOURCE, "citation");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        var request = request();
        for (var turn : Place.history()) {
            if (turn.isUser()) request.addUserMessage(turn.text());
            else request.addAssistantMessage(turn.text());
        }
        Place.same(said(ask(request)), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(MessageCreateParams.Builder request, int status, String kind, String words) {
        return () -> {
            var error = Place.raised(AnthropicServiceException.class, () -> ask(request));
            Place.same(error.statusCode() + " " + error.type().orElseThrow().asString(), status + " " + kind, "error");
            Place.holds(error.apiMessage().orElse("").contains(words), "the message is " + error.apiMessage());
            if (status == 429) Place.holds(!error.headers().values("retry-after").isEmpty(), "no Retry-After");
            return null;
        };
    }

    static Map<String, Runner.Scenario> scenarios(Place place) {
        var own = new AnthropicMessages(place);
        var picture = ContentBlockParam.ofImage(Base64ImageSource.builder()
                .mediaType(Base64ImageSource.MediaType.IMAGE_PNG)
                .data(Place.PICTURE)
                .build());
        var file = ContentBlockParam.ofDocument(Base64PdfSource.builder().data(Place.PDF).build());
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", own.chat("chat", own::ask));
        all.put("stream", own.chat("stream", own::collect));
        all.put("tools", own.tools("tools", own::ask));
        all.put("tools-streamed", own.tools("tools-streamed", own::collect));
        all.put("parallel-tools", own.tools("parallel-tools", own::ask));
        all.put("parallel-tools-streamed", own.tools("parallel-tools-streamed", own::collect));
        all.put("structured", own::structured);
        all.put("picture", own.withPart("picture", picture, "I see 1 picture."));
        all.put("file", own.withPart("file", file, "I read 1 file."));
        all.put("reasoning", own.reasoning("reasoning", own::ask));
        all.put("reasoning-streamed", own.reasoning("reasoning-streamed", own::collect));
        all.put("citations", own.citations("citations", own::ask));
        all.put("citations-streamed", own.citations("citations-streamed", own::collect));
        all.put("long-history", own::longHistory);
        all.put("rate-limited", own.failing(own.asking("rate-limited"), 429, "rate_limit_error", ""));
        all.put("too-long", own.failing(own.asking("too-long"), 400, "invalid_request_error", "prompt is too long"));
        all.put("overloaded", own.failing(own.asking("overloaded"), 529, "overloaded_error", ""));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> own.collect(own.asking("cut")));
            return null;
        });
        all.put("unauthorized", () -> {
            var other = clientOf(place, Place.UNKNOWN_KEY);
            var error = Place.raised(AnthropicServiceException.class, () -> other.models().list());
            Place.same(error.statusCode(), 401, "status");
            return null;
        });
        all.put("unknown-model", own.failing(own.asking("chat").model(Place.NO_MODEL), 404, "not_found_error", ""));
        all.put("models", () -> {
            var listed = own.client.models().list().autoPager().stream().anyMatch(one -> one.id().equals(place.model()));
            Place.holds(listed, "the model is not listed");
            return null;
        });
        return all;
    }
}
