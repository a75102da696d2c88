import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.errors.OpenAIServiceException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.ReasoningEffort;
import com.openai.models.ResponseFormatJsonSchema;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUserMessageParam;
import com.openai.models.embeddings.EmbeddingCreateParams;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The official OpenAI package, chat completions; it refuses answers that its schema does not allow. */
final class OpenAiChat {
    static OpenAIClient clientOf(Place place, String key) {
        return OpenAIOkHttpClient.builder()
                .apiKey(key)
                .baseUrl(place.url() + "/v1")
                .maxRetries(0)
                .responseValidation(true)
                .build();
    }

    private interface Reader {
        ChatCompletion read(ChatCompletionCreateParams.Builder request);
    }

    private final Place place;
    private final OpenAIClient client;

    private OpenAiChat(Place place) {
        this.place = place;
        this.client = clientOf(place, place.key());
    }

    private ChatCompletionCreateParams.Builder request() {
        return ChatCompletionCreateParams.builder().model(place.model());
    }

    private ChatCompletionCreateParams.Builder asking(String name) {
        return request().addUserMessage(Place.question(name));
    }

    private ChatCompletion ask(ChatCompletionCreateParams.Builder request) {
        return client.chat().completions().create(request.build());
    }

    private ChatCompletion collect(ChatCompletionCreateParams.Builder request) {
        var whole = ChatCompletionAccumulator.create();
        var options = ChatCompletionStreamOptions.builder().includeUsage(true).build();
        try (var stream = client.chat().completions().createStreaming(request.streamOptions(options).build())) {
            stream.stream().forEach(whole::accumulate);
        }
        return whole.chatCompletion();
    }

    private static ChatCompletionMessage message(ChatCompletion answer) {
        return answer.choices().get(0).message();
    }

    private static String said(ChatCompletion answer) {
        return message(answer).content().orElse("");
    }

    private static Place.Tokens usage(ChatCompletion answer) {
        var usage = answer.usage().orElseThrow();
        return new Place.Tokens(usage.promptTokens(), usage.completionTokens());
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            Place.same(answer.choices().get(0).finishReason().asString(), "stop", "finish reason");
            Place.holds(answer.created() > 0, "created is missing");
            return usage(answer);
        };
    }

    private static FunctionDefinition function(String name, Map<String, Object> schema) {
        var parameters = FunctionParameters.builder();
        schema.forEach((member, value) -> parameters.putAdditionalProperty(member, JsonValue.from(value)));
        return FunctionDefinition.builder().name(name).parameters(parameters.build()).build();
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            var request = asking(name)
                    .addFunctionTool(function("lookup", Place.LOOKUP_SCHEMA))
                    .addFunctionTool(function("now", Place.NO_ARGUMENTS));
            var first = reader.read(request);
            Place.same(first.choices().get(0).finishReason().asString(), "tool_calls", "finish reason");
            request.addMessage(message(first));
            List<Place.Call> calls = new ArrayList<>();
            for (var one : message(first).toolCalls().orElse(List.of())) {
                var call = one.asFunction();
                calls.add(new Place.Call(call.function().name(), call.function().arguments()));
                request.addMessage(ChatCompletionToolMessageParam.builder()
                        .toolCallId(call.id())
                        .content(Place.TOOL_RESULT)
                        .build());
            }
            Place.same(calls, Place.callsOf(name), "calls");
            var last = reader.read(request);
            Place.same(said(last), Place.ANSWER, "answer");
            return usage(last);
        };
    }

    private Place.Tokens structured() {
        var schema = ResponseFormatJsonSchema.JsonSchema.Schema.builder();
        Place.FORM_SCHEMA.forEach((member, value) -> schema.putAdditionalProperty(member, JsonValue.from(value)));
        var form = ResponseFormatJsonSchema.JsonSchema.builder().name("form").schema(schema.build()).strict(true);
        var format = ResponseFormatJsonSchema.builder().jsonSchema(form.build()).build();
        Place.same(Place.parsed(said(ask(asking("structured").responseFormat(format)))), Place.FORM, "form");
        return null;
    }

    private Runner.Scenario withPart(String name, ChatCompletionContentPart part, String words) {
        return () -> {
            var text = ChatCompletionContentPartText.builder().text(Place.question(name)).build();
            var user = ChatCompletionUserMessageParam.builder()
                    .contentOfArrayOfContentParts(List.of(ChatCompletionContentPart.ofText(text), part))
                    .build();
            Place.same(said(ask(request().addMessage(user))), words, "answer");
            return null;
        };
    }

    private Place.Tokens reasoning() {
        var answer = ask(asking("reasoning").reasoningEffort(ReasoningEffort.LOW).maxCompletionTokens(Place.CAP));
        Place.same(said(answer), Place.ANSWER, "answer");
        if (place.tellsThoughts()) {
            var thought = message(answer)._additionalProperties().get("reasoning_content");
            Place.holds(thought != null, "no thought");
            Place.same(thought.asStringOrThrow(), Place.THOUGHT, "thought");
        }
        return usage(answer);
    }

    private Runner.Scenario citations(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            var pages = message(answer).annotations().orElse(List.of());
            Place.holds(!pages.isEmpty(), "no annotations");
            Place.same(pages.get(0).urlCitation().url(), Place.SOURCE, "annotation");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        var request = request();
        for (var turn : Place.history()) {
            if (turn.isUser()) request.addUserMessage(turn.text());
            else request.addMessage(ChatCompletionAssistantMessageParam.builder().content(turn.text()).build());
        }
        Place.same(said(ask(request)), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(String name, int status, String code) {
        return () -> {
            var error = Place.raised(OpenAIServiceException.class, () -> ask(asking(name)));
            Place.same(error.statusCode(), status, "status");
            if (code != null) Place.same(error.code().orElse(""), code, "code");
            if (status == 429) Place.holds(!error.headers().values("retry-after").isEmpty(), "no Retry-After");
            return null;
        };
    }

    private Place.Tokens unknownModel() throws Exception {
        var error = Place.raised(
                OpenAIServiceException.class, () -> ask(asking("chat").model(Place.NO_MODEL)));
        Place.same(error.statusCode() + " " + error.code().orElse(""), "404 model_not_found", "error");
        return null;
    }

    private Place.Tokens embeddings() {
        var answer = client.embeddings().create(EmbeddingCreateParams.builder()
                .model(place.model())
                .inputOfArrayOfStrings(List.of("one", "two"))
                .build());
        Place.same(answer.data().stream().map(one -> one.embedding().size()).toList(), List.of(3, 3), "vectors");
        return null;
    }

    static Map<String, Runner.Scenario> scenarios(Place place) {
        var own = new OpenAiChat(place);
        var picture = ChatCompletionContentPartImage.builder()
                .imageUrl(ChatCompletionContentPartImage.ImageUrl.builder()
                        .url("data:image/png;base64," + Place.PICTURE)
                        .build())
                .build();
        var file = ChatCompletionContentPart.File.builder()
                .file(ChatCompletionContentPart.File.FileObject.builder()
                        .filename("a.pdf")
                        .fileData("data:application/pdf;base64," + Place.PDF)
                        .build())
                .build();
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", own.chat("chat", own::ask));
        all.put("stream", own.chat("stream", own::collect));
        all.put("tools", own.tools("tools", own::ask));
        all.put("tools-streamed", own.tools("tools-streamed", own::collect));
        all.put("parallel-tools", own.tools("parallel-tools", own::ask));
        all.put("parallel-tools-streamed", own.tools("parallel-tools-streamed", own::collect));
        all.put("structured", own::structured);
        all.put("picture", own.withPart("picture", ChatCompletionContentPart.ofImageUrl(picture), "I see 1 picture."));
        all.put("file", own.withPart("file", ChatCompletionContentPart.ofFile(file), "I read 1 file."));
        all.put("reasoning", own::reasoning);
        all.put("citations", own.citations("citations", own::ask));
        all.put("long-history", own::longHistory);
        all.put("rate-limited", own.failing("rate-limited", 429, null));
        all.put("too-long", own.failing("too-long", 400, "context_length_exceeded"));
        all.put("overloaded", own.failing("overloaded", 503, null));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> own.collect(own.asking("cut")));
            return null;
        });
        all.put("unauthorized", () -> {
            var other = clientOf(place, Place.UNKNOWN_KEY);
            var error = Place.raised(OpenAIServiceException.class, () -> other.models().list());
            Place.same(error.statusCode(), 401, "status");
            return null;
        });
        all.put("unknown-model", own::unknownModel);
        all.put("models", () -> {
            var listed = own.client.models().list().autoPager().stream().anyMatch(one -> one.id().equals(place.model()));
            Place.holds(listed, "the model is not listed");
            return null;
        });
        all.put("embeddings", own::embeddings);
        return all;
    }
}
