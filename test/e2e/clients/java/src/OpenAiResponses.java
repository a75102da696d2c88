import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.errors.OpenAIServiceException;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFormatTextJsonSchemaConfig;
import com.openai.models.responses.ResponseIncludable;
import com.openai.models.responses.ResponseInputContent;
import com.openai.models.responses.ResponseInputFile;
import com.openai.models.responses.ResponseInputImage;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseInputText;
import com.openai.models.responses.ResponseOutputText;
import com.openai.models.responses.ResponseTextConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The official OpenAI package, Responses; it refuses answers that its schema does not allow. */
final class OpenAiResponses {
    private interface Reader {
        Response read(ResponseCreateParams.Builder request);
    }

    private final Place place;
    private final OpenAIClient client;

    private OpenAiResponses(Place place) {
        this.place = place;
        this.client = OpenAiChat.clientOf(place, place.key());
    }

    private ResponseCreateParams.Builder request() {
        return ResponseCreateParams.builder().model(place.model());
    }

    private ResponseCreateParams.Builder asking(String name) {
        return request().input(Place.question(name));
    }

    private Response ask(ResponseCreateParams.Builder request) {
        return client.responses().create(request.build());
    }

    private Response collect(ResponseCreateParams.Builder request) {
        var whole = ResponseAccumulator.create();
        try (var stream = client.responses().createStreaming(request.build())) {
            stream.stream().forEach(whole::accumulate);
        }
        return whole.response();
    }

    private static String said(Response answer) {
        return texts(answer).stream().map(ResponseOutputText::text).collect(Collectors.joining());
    }

    private static List<ResponseOutputText> texts(Response answer) {
        return answer.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .toList();
    }

    private static Place.Tokens usage(Response answer) {
        var usage = answer.usage().orElseThrow();
        Place.holds(usage.outputTokensDetails().reasoningTokens() >= 0, "no count of reasoning");
        return new Place.Tokens(usage.inputTokens(), usage.outputTokens());
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            Place.same(answer.status().orElseThrow().asString(), "completed", "status");
            return usage(answer);
        };
    }

    private static FunctionTool function(String name, Map<String, Object> schema) {
        var parameters = FunctionTool.Parameters.builder();
        schema.forEach((member, value) -> parameters.putAdditionalProperty(member, JsonValue.from(value)));
        return FunctionTool.builder().name(name).parameters(parameters.build()).strict(false).build();
    }

    private static ResponseInputItem message(EasyInputMessage.Role role, String text) {
        return ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder().role(role).content(text).build());
    }

    private ResponseCreateParams.Builder withTools(List<ResponseInputItem> items) {
        return request()
                .inputOfResponse(items)
                .store(false)
                .addInclude(ResponseIncludable.REASONING_ENCRYPTED_CONTENT)
                .addTool(function("lookup", Place.LOOKUP_SCHEMA))
                .addTool(function("now", Place.NO_ARGUMENTS));
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            List<ResponseInputItem> items = new ArrayList<>();
            items.add(message(EasyInputMessage.Role.USER, Place.question(name)));
            var first = reader.read(withTools(items));
            List<Place.Call> calls = new ArrayList<>();
            List<ResponseInputItem> results = new ArrayList<>();
            for (var item : first.output()) {
                item.reasoning().map(ResponseInputItem::ofReasoning).ifPresent(items::add);
                item.message().map(ResponseInputItem::ofResponseOutputMessage).ifPresent(items::add);
                item.functionCall().ifPresent(call -> {
                    items.add(ResponseInputItem.ofFunctionCall(call));
                    calls.add(new Place.Call(call.name(), call.arguments()));
                    results.add(ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                            .callId(call.callId())
                            .output(Place.TOOL_RESULT)
                            .build()));
                });
            }
            Place.same(calls, Place.callsOf(name), "calls");
            items.addAll(results);
            var last = reader.read(withTools(items));
            Place.same(said(last), Place.ANSWER, "answer");
            return usage(last);
        };
    }

    private Place.Tokens structured() {
        var schema = ResponseFormatTextJsonSchemaConfig.Schema.builder();
        Place.FORM_SCHEMA.forEach((member, value) -> schema.putAdditionalProperty(member, JsonValue.from(value)));
        var form = ResponseFormatTextJsonSchemaConfig.builder().name("form").schema(schema.build()).strict(true);
        var request = asking("structured").text(ResponseTextConfig.builder().format(form.build()).build());
        Place.same(Place.parsed(said(ask(request))), Place.FORM, "form");
        return null;
    }

    private Runner.Scenario withPart(String name, ResponseInputContent part, String words) {
        return () -> {
            var text = ResponseInputText.builder().text(Place.question(name)).build();
            var user = EasyInputMessage.builder()
                    .role(EasyInputMessage.Role.USER)
                    .contentOfResponseInputMessageContentList(List.of(ResponseInputContent.ofInputText(text), part))
                    .build();
            var request = request().inputOfResponse(List.of(ResponseInputItem.ofEasyInputMessage(user)));
            Place.same(said(ask(request)), words, "answer");
            return null;
        };
    }

    private Runner.Scenario reasoning(String name, Reader reader) {
        return () -> {
            var asked = Reasoning.builder().effort(ReasoningEffort.LOW).summary(Reasoning.Summary.AUTO).build();
            var answer = reader.read(asking(name).reasoning(asked));
            Place.same(said(answer), Place.ANSWER, "answer");
            var thought = answer.output().stream()
                    .flatMap(item -> item.reasoning().stream())
                    .flatMap(item -> item.summary().stream())
                    .map(part -> part.text())
                    .collect(Collectors.joining());
            if (place.tellsThoughts()) Place.same(thought, Place.THOUGHT, "thought");
            return usage(answer);
        };
    }

    private Runner.Scenario citations(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            var pages = texts(answer).get(0).annotations();
            Place.holds(!pages.isEmpty(), "no annotations");
            Place.same(pages.get(0).asUrlCitation().url(), Place.SOURCE, "annotation");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        var items = Place.history().stream()
                .map(turn -> message(
                        turn.isUser() ? EasyInputMessage.Role.USER : EasyInputMessage.Role.ASSISTANT, turn.text()))
                .toList();
        Place.same(said(ask(request().inputOfResponse(items))), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(ResponseCreateParams.Builder request, int status, String code) {
        return () -> {
            var error = Place.raised(OpenAIServiceException.class, () -> ask(request));
            Place.same(error.statusCode(), status, "status");
            if (code != null) Place.same(error.code().orElse(""), code, "code");
            if (status == 429) Place.holds(!error.headers().values("retry-after").isEmpty(), "no Retry-After");
            return null;
        };
    }

    static Map<String, Runner.Scenario> scenarios(Place place) {
        var own = new OpenAiResponses(place);
        var picture = ResponseInputImage.builder()
                .detail(ResponseInputImage.Detail.AUTO)
                .imageUrl("data:image/png;base64," + Place.PICTURE)
                .build();
        var file = ResponseInputFile.builder()
                .filename("a.pdf")
                .fileData("data:application/pdf;base64," + Place.PDF)
                .build();
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", own.chat("chat", own::ask));
        all.put("stream", own.chat("stream", own::collect));
        all.put("tools", own.tools("tools", own::ask));
        all.put("tools-streamed", own.tools("tools-streamed", own::collect));
        all.put("parallel-tools", own.tools("parallel-tools", own::ask));
        all.put("parallel-tools-streamed", own.tools("parallel-tools-streamed", own::collect));
        all.put("structured", own::structured);
        all.put("picture", own.withPart("picture", ResponseInputContent.ofInputImage(picture), "I see 1 picture."));
        all.put("file", own.withPart("file", ResponseInputContent.ofInputFile(file), "I read 1 file."));
        all.put("reasoning", own.reasoning("reasoning", own::ask));
        all.put("reasoning-streamed", own.reasoning("reasoning-streamed", own::collect));
        all.put("citations", own.citations("citations", own::ask));
        all.put("citations-streamed", own.citations("citations-streamed", own::collect));
        all.put("long-history", own::longHistory);
        all.put("rate-limited", own.failing(own.asking("rate-limited"), 429, null));
        all.put("too-long", own.failing(own.asking("too-long"), 400, "context_length_exceeded"));
        all.put("overloaded", own.failing(own.asking("overloaded"), 503, null));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> own.collect(own.asking("cut")));
            return null;
        });
        all.put("unknown-model", own.failing(own.asking("chat").model(Place.NO_MODEL), 404, "model_not_found"));
        return all;
    }
}
