import com.google.genai.Client;
import com.google.genai.types.HttpOptions;
import java.util.List;
import java.util.Map;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.google.genai.GoogleGenAiChatModel;
import org.springframework.ai.google.genai.GoogleGenAiChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/** Spring AI over its Google package. */
final class SpringGoogle {
    private static final SpringScenarios.Vendor GOOGLE = new SpringScenarios.Vendor() {
        @Override
        public ChatModel model(Place place, String key) {
            var http = HttpOptions.builder().baseUrl(place.url()).build();
            var client = Client.builder().apiKey(key).httpOptions(http).build();
            var options = GoogleGenAiChatOptions.builder().model(place.model()).build();
            return GoogleGenAiChatModel.builder()
                    .genAiClient(client)
                    .defaultOptions(options)
                    .retryTemplate(SpringScenarios.ONCE)
                    .build();
        }

        @Override
        public ToolCallingChatOptions options(List<ToolCallback> tools, String schema) {
            var options = GoogleGenAiChatOptions.builder().toolCallbacks(tools);
            if (schema != null) options.responseMimeType("application/json").responseSchema(schema);
            return options.build();
        }

        /** It reads what a tool gives back as JSON. */
        @Override
        public String told(String result) {
            return Place.JSON.valueToTree(result).toString();
        }

        @Override
        public Class<? extends Exception> refusal() {
            return RuntimeException.class;
        }

        @Override
        public Class<? extends Exception> overload() {
            return RuntimeException.class;
        }
    };

    static Map<String, Runner.Scenario> scenarios(Place place) {
        return new SpringScenarios(GOOGLE, place).common(place, "503");
    }
}
